"""What every floor stands on: errors, versions, checks of numbers, YAML, and the compiler of kernels."""
