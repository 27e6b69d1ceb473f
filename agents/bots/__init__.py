"""Trained bots: their files, the network in numpy and in kernels, and bundles, which are networks as ONNX."""
