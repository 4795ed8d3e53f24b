"""An additional check for Schemathesis: the contract must list the code of every problem."""

import json

import schemathesis

from contract import codes


@schemathesis.check
def problem_code_is_listed(context, response, case):
    if "application/problem+json" not in "".join(response.headers.get("content-type", [])):
        return
    problem = json.loads(response.content)
    # The contract describes responses to other methods once, for all operations.
    if response.status_code in (404, 405) and problem["code"] in ("not_found", "method_not_allowed"):
        return
    listed = codes(case.operation.path, case.operation.method, response.status_code)
    assert problem["code"] in listed, f"{response.status_code} {problem['code']} is none of {listed}"
