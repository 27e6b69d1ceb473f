"""Round robins on duplicate deals: line-ups, shards, sums, reports."""
