"""What every subject of training stands on: configurations, provenance, charts, figures that are kept, and jobs."""
