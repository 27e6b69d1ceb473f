"""`make pictures`: draw the pictures of the README anew, into the folder that is given."""

import sys
from pathlib import Path

from training.pictures.pictures import draw_pictures

if __name__ == "__main__":
    for path in draw_pictures(Path(sys.argv[1])):
        print(path)
