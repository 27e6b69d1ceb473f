"""What every subject of training stands on: configurations and provenance."""
