# `make run` and `make test` do all the set-up: they install missing Debian packages, build, and create the tests' Python
# environment.

BUILD_PACKAGES = libpq-dev libcurl4-openssl-dev libidn2-dev libfido2-dev libqrencode-dev libssl-dev libbrotli-dev libzxcvbn-dev zlib1g-dev pkg-config
RUN_PACKAGES = postgresql-15 ca-certificates esbuild
TEST_PACKAGES = nginx-light caddy apache2 chromium-headless-shell fonts-dejavu-core python3-venv curl openssl \
  fiu-utils strace faketime nodejs prometheus
BENCH_PACKAGES = postgresql-15 nginx-light wrk

# The Swift tests that need no database and wait for no clock.
PURE = '(StrictJSON|ContentCoding|ProblemDetails|AASA|SignedFile|PasswordHashing|Cron|Hex|Timing|ObjectStore|Architecture|OpenIDConnect|SMTP|TOTP)Tests'
FEW_AT_A_TIME = SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=8

RELEASE = .build/release/waymark
DEBUG = .build/debug/waymark
# The dashboard with a bundled script for each page. The sources in public/ work too, with more requests.
DASHBOARD = .build/dashboard
PYTHON_WORKERS = 4
TORTURE_WORKERS = 3
PYTEST = env --unset=PYTHONDONTWRITEBYTECODE WAYMARK_EXECUTABLE=$(abspath $(DEBUG)) WAYMARK_DASHBOARD=$(abspath $(DASHBOARD)) .venv/bin/python -m pytest

.PHONY: help run check test test-packages test-swift test-fuzz test-python torture seeded-bugs build bench fuzz sbom \
  format lint clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: ## Build Waymark and run it on a private PostgreSQL; print the dashboard's address and a sign-in link
	@Scripts/require-packages $(BUILD_PACKAGES) $(RUN_PACKAGES)
	@swift build --configuration release --product waymark
	@Scripts/bundle-pages $(DASHBOARD)
	@WAYMARK_PUBLIC_DIRECTORY=$${WAYMARK_PUBLIC_DIRECTORY:-$(abspath $(DASHBOARD))/public} $(RELEASE) serve

build: ## Build for debugging
	@Scripts/require-packages $(BUILD_PACKAGES)
	@swift build

check: lint ## Check the formatting and run the Swift tests that need no database: a minute after a build
	@Scripts/require-packages $(BUILD_PACKAGES)
	@swift build --build-tests
	@$(FEW_AT_A_TIME) swift test --quiet --skip-build --filter $(PURE)

test: test-packages lint test-swift ## Run every test: Swift, fuzzers (briefly), end to end, browser
	@$(MAKE) --no-print-directory --jobs=2 --keep-going test-fuzz test-python

test-packages:
	@Scripts/require-packages $(BUILD_PACKAGES) $(RUN_PACKAGES) $(TEST_PACKAGES)

test-swift: ## Run the Swift tests, against a real PostgreSQL
	@Scripts/require-packages $(BUILD_PACKAGES) $(RUN_PACKAGES)
	@swift build --build-tests --explicit-target-dependency-import-check error
	@Scripts/check-pure-libraries .build/debug
	@# The tests run in groups, for two reasons. Tests that use the whole processor would delay tests that wait for a
	@# clock. And a process that one test starts briefly inherits the locks that another test holds. Within a group,
	@# only a few tests run at a time: on a small machine, all of them together would use up the connections.
	@$(FEW_AT_A_TIME) swift test --quiet --skip-build --filter $(PURE)
	@$(FEW_AT_A_TIME) swift test --quiet --skip-build --filter '(Snapshot|Serving|Fetching)Tests'
	@$(FEW_AT_A_TIME) swift test --quiet --skip-build --filter '(Postgres|Storage|Publishing|HTTPAPI)Tests'

# At a low priority, because it runs beside tests that wait for clocks.
test-fuzz: ## Run each fuzzer on the same 100,000 generated inputs
	@nice Fuzzing/build
	@nice Fuzzing/run --runs 100000

# In parallel, because the tests also wait. The tests of a file run one after the other. The torture tests run alone:
# they use the whole machine, and others would wait for them. The first line compiles the tests once for all processes.
test-python: .venv/installed ## Run the end-to-end, browser and (briefly) torture tests in parallel
	@Scripts/require-packages $(BUILD_PACKAGES) $(RUN_PACKAGES) $(TEST_PACKAGES)
	@swift build
	@Scripts/bundle-pages $(DASHBOARD)
	@$(PYTEST) Tests --collect-only --quiet > /dev/null
	@$(PYTEST) Tests/Torture --numprocesses $(TORTURE_WORKERS) --dist loadfile; torture=$$?; \
	  $(PYTEST) Tests/Browser Tests/EndToEnd --numprocesses $(PYTHON_WORKERS) --dist loadfile --no-loadscope-reorder \
	  && exit $$torture

torture: .venv/installed ## Run the torture tests at full size, and print their figures
	@Scripts/require-packages $(BUILD_PACKAGES) $(RUN_PACKAGES) $(TEST_PACKAGES)
	@swift build
	@swift build --configuration release --product waymark
	@Scripts/bundle-pages $(DASHBOARD)
	@WAYMARK_RELEASE_EXECUTABLE=$(abspath $(RELEASE)) $(PYTEST) Tests/Torture --full --timeout 3600

seeded-bugs: .venv/installed ## Put known bugs into the code, one at a time, and check that a test notices each
	@Scripts/require-packages $(BUILD_PACKAGES) $(RUN_PACKAGES) $(TEST_PACKAGES)
	@Tests/SeededBugs/run

.venv/installed: Tests/requirements.txt
	@Scripts/require-packages python3-venv
	@echo "Creating a Python environment for the tests in .venv" >&2
	@rm -rf .venv
	@python3 -m venv .venv
	@.venv/bin/pip install --quiet --disable-pip-version-check --requirement Tests/requirements.txt
	@touch $@

bench: ## Run the benchmarks: reads against pgbench, the API against a constant, the edge against nginx, …
	@Scripts/require-packages $(BUILD_PACKAGES) $(BENCH_PACKAGES)
	@swift run --configuration release --package-path Benchmarks DatabaseBenchmark
	@swift run --configuration release --package-path Benchmarks HTTPBenchmark
	@swift run --configuration release --package-path Benchmarks EdgeBenchmark
	@swift run --configuration release --package-path Benchmarks EngineBenchmark
	@swift run --configuration release --package-path Benchmarks SnapshotBenchmark
	@swift run --configuration release --package-path Benchmarks EditBenchmark
	@swift run --configuration release --package-path Benchmarks ListBenchmark
	@swift run --configuration release --package-path Benchmarks PublicationBenchmark
	@swift run --configuration release --package-path Benchmarks ReleaseBenchmark

FUZZ_SECONDS = 60

fuzz: ## Fuzz the parser and the engine, with four fuzzers, each for FUZZ_SECONDS=60
	@Fuzzing/build
	@Fuzzing/run $(FUZZ_SECONDS)

sbom: ## Write the bill of materials of the resolved packages to .build/sbom.cdx.json (CycloneDX)
	@mkdir -p .build
	@Scripts/sbom > .build/sbom.cdx.json
	@echo .build/sbom.cdx.json

format: ## Format the Swift sources in place
	@swift format format --in-place --parallel --recursive Package.swift Sources Tests Benchmarks/Sources Fuzzing/Targets

lint: ## Check the formatting, and that each seeded bug still fits the code
	@Tests/SeededBugs/run --list >/dev/null
	@swift format lint --strict --parallel --recursive Package.swift Sources Tests Fuzzing/Targets
	@if [ -d Benchmarks/Sources ]; then swift format lint --strict --parallel --recursive Benchmarks/Sources; fi

clean: ## Delete everything that was built
	@rm -rf .build .venv
