"""The rules that tools/check_house.py holds the tree to."""
