"""`python -m eval`."""

import sys

if __name__ == "__main__":
    try:
        from eval.cli import app
    except ModuleNotFoundError as error:
        sys.stderr.write(f"the package {error.name} is missing: pip install 'ltm[eval]', or `make setup` in a clone\n")
        sys.exit(2)
    app(prog_name="python -m eval")
