"""Programs that play, and agents that play for programs: both speak one protocol of JSON lines."""
