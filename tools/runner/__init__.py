"""The parts of tools/run_tests.py: what a result is, how progress is told, and the three kinds of tests."""
