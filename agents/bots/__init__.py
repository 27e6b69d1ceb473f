"""Trained bots: their files, the network in numpy, and bundles, which are networks as ONNX."""
