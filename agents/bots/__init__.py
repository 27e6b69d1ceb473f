"""Trained bots: on disk, as a network, and as an ONNX bundle."""
