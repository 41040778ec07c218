"""The colours of the course, which can be told apart also by those who see no red or green."""

BLUE = "#0072B2"
ORANGE = "#D55E00"
GREEN = "#008F68"
PURPLE = "#9A3D88"
GREY = "#7F7F7F"
INK = "#1F1F1F"
LIGHT = {1: "#DCEBF5", -1: "#FBE6D9"}  # of BLUE and ORANGE, for what is labelled +1 and −1
