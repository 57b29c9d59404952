# `just` lists the recipes, `just test -n 2` passes words on.

_list:
    @just --list

# Style, types, and which folder may know which
lint:
    ruff check .
    ruff format --check .
    mypy --strict src/secondlook
    lint-imports

# The quick tests
test *words:
    pytest {{words}}

# The exhaustive tests
slow *words:
    pytest -m slow {{words}}

# Live comparison with other packages
peers *words:
    pytest -m peers {{words}}

# Every example of the README, of docs/ and of the docstrings
docs-test *words:
    pytest tests/docs {{words}}

# Write what the examples print today into the pages; read the difference
docs-refresh:
    python tests/docs/pages.py

# Speed, against ourselves and others
bench *words:
    python -m benchmarks {{words}}

# The engine's own tests under the sanitizers
sanitize: (_sanitized "asan" "address,undefined") (_sanitized "tsan" "thread")

_sanitized name sanitizers:
    cmake -S . -B build/{{name}} -DCMAKE_BUILD_TYPE=RelWithDebInfo -DSECONDLOOK_SANITIZE={{sanitizers}}
    cmake --build build/{{name}} --parallel 2
    ctest --test-dir build/{{name}} --output-on-failure

# A wheel in dist/
wheel:
    python -m pip wheel . --no-deps -w dist

# What has to pass before a change goes in
ci:
    .ci/run
