"""Learning from playouts alone: the all-action policy gradient of whole hands, without a critic."""
