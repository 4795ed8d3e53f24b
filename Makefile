# The verbs. `make run` and `make test` do all their set-up themselves: Debian packages that are missing, the build, a
# Python environment for the tests.

BUILD_PACKAGES = libpq-dev libidn2-dev libssl-dev zlib1g-dev pkg-config
RUN_PACKAGES = postgresql-15 ca-certificates
TEST_PACKAGES = nginx-light caddy apache2 chromium-headless-shell fonts-dejavu-core python3-venv curl openssl \
  fiu-utils strace faketime nodejs
BENCH_PACKAGES = postgresql-15 nginx-light wrk

FEW_AT_A_TIME = SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=8

RELEASE = .build/release/waymark
DEBUG = .build/debug/waymark
PYTEST = WAYMARK_EXECUTABLE=$(abspath $(DEBUG)) .venv/bin/python -m pytest

.PHONY: help run test test-packages test-swift test-fuzz test-python python-service python-pages python-force \
  torture seeded-bugs build bench fuzz sbom format lint clean

help: ## What can be done
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: ## Build Waymark and run it on a PostgreSQL of its own; prints the dashboard's address and a sign-in link
	@Scripts/require-packages $(BUILD_PACKAGES) $(RUN_PACKAGES)
	@swift build --configuration release --product waymark
	@$(RELEASE) serve

build: ## Build the executable for debugging
	@Scripts/require-packages $(BUILD_PACKAGES)
	@swift build

test: test-packages lint test-swift test-fuzz test-python ## Run every test: Swift, fuzzers briefly, end to end, browser

test-packages:
	@Scripts/require-packages $(BUILD_PACKAGES) $(RUN_PACKAGES) $(TEST_PACKAGES)

test-swift: ## Run the Swift tests, against a real PostgreSQL
	@Scripts/require-packages $(BUILD_PACKAGES) $(RUN_PACKAGES)
	@swift build --build-tests --explicit-target-dependency-import-check error
	@Scripts/check-pure-libraries .build/debug
	@# In groups: tests that compute at full load would starve those that wait for a clock, and a lock that one test
	@# holds would be seen, for a moment, in the processes that another one starts. And a few tests at a time: all at
	@# once, they take each other's connections and hold up each other's clocks on a small machine.
	@$(FEW_AT_A_TIME) swift test --quiet --skip-build --filter '(StrictJSON|AASA|SignedFile|Cron|ObjectStore|Architecture)Tests'
	@$(FEW_AT_A_TIME) swift test --quiet --skip-build --filter '(Snapshot|Serving)Tests'
	@$(FEW_AT_A_TIME) swift test --quiet --skip-build --filter '(Postgres|Storage|Publishing|HTTPAPI)Tests'

test-fuzz: ## Feed each fuzzer the same 100,000 made-up inputs
	@Fuzzing/build
	@Fuzzing/run --runs 100000

test-python: .venv/installed ## Run the end-to-end and browser tests, and those under force, briefly, side by side
	@Scripts/require-packages $(BUILD_PACKAGES) $(RUN_PACKAGES) $(TEST_PACKAGES)
	@swift build
	@# Side by side, each with ports of its own: they wait more than they compute. What one says is shown at its end.
	@$(MAKE) --no-print-directory --jobs=3 --keep-going --output-sync=target python-service python-pages python-force

python-service:
	@WAYMARK_TEST_PORTS=10000-17999 $(PYTEST) Tests/EndToEnd --ignore Tests/EndToEnd/api/test_contract.py

python-pages:
	@WAYMARK_TEST_PORTS=18000-24999 $(PYTEST) Tests/Browser

# With the one long test of the service, so that the three take about as long.
python-force:
	@WAYMARK_TEST_PORTS=25000-31999 $(PYTEST) Tests/EndToEnd/api/test_contract.py Tests/Torture

torture: .venv/installed ## Run the tests under force at their full size, and print their figures
	@Scripts/require-packages $(BUILD_PACKAGES) $(RUN_PACKAGES) $(TEST_PACKAGES)
	@swift build
	@swift build --configuration release --product waymark
	@WAYMARK_RELEASE_EXECUTABLE=$(abspath $(RELEASE)) $(PYTEST) Tests/Torture --full --timeout 3600

seeded-bugs: .venv/installed ## Put known bugs into the code, one at a time, and expect the tests to notice each
	@Scripts/require-packages $(BUILD_PACKAGES) $(RUN_PACKAGES) $(TEST_PACKAGES)
	@Tests/SeededBugs/run

.venv/installed: Tests/requirements.txt
	@Scripts/require-packages python3-venv
	@echo "Making a Python environment for the tests in .venv" >&2
	@rm -rf .venv
	@python3 -m venv .venv
	@.venv/bin/pip install --quiet --disable-pip-version-check --requirement Tests/requirements.txt
	@touch $@

bench: ## Measure: reads against pgbench, the API against a constant, the edge against nginx, the engine against fnmatch, …
	@Scripts/require-packages $(BUILD_PACKAGES) $(BENCH_PACKAGES)
	@swift run --configuration release --package-path Benchmarks DatabaseBenchmark
	@swift run --configuration release --package-path Benchmarks HTTPBenchmark
	@swift run --configuration release --package-path Benchmarks EdgeBenchmark
	@swift run --configuration release --package-path Benchmarks EngineBenchmark
	@swift run --configuration release --package-path Benchmarks SnapshotBenchmark
	@swift run --configuration release --package-path Benchmarks PublicationBenchmark
	@swift run --configuration release --package-path Benchmarks ReleaseBenchmark

FUZZ_SECONDS = 60

fuzz: ## Feed the file's reader and the engine with made-up input; FUZZ_SECONDS=60 for each of the four fuzzers
	@Fuzzing/build
	@Fuzzing/run $(FUZZ_SECONDS)

sbom: ## Write the bill of materials to .build/sbom.cdx.json: CycloneDX, from the packages as they are resolved
	@mkdir -p .build
	@Scripts/sbom > .build/sbom.cdx.json
	@echo .build/sbom.cdx.json

format: ## Format the Swift sources in place
	@swift format format --in-place --parallel --recursive Package.swift Sources Tests Benchmarks/Sources Fuzzing/Targets

lint: ## Check the formatting, strictly, and that each of the known bugs still fits the code
	@Tests/SeededBugs/run --list >/dev/null
	@swift format lint --strict --parallel --recursive Package.swift Sources Tests Fuzzing/Targets
	@if [ -d Benchmarks/Sources ]; then swift format lint --strict --parallel --recursive Benchmarks/Sources; fi

clean: ## Remove what was built
	@rm -rf .build .venv
