"""What every subject of training stands on: configurations, provenance and charts."""
