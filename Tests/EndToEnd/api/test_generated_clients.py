"""Generated clients: two generators read the whole contract without a warning, and one of the generated clients does
the main job."""

import importlib
import json
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

from contract import DOCUMENT
from samples import APP

PROGRAMS = Path(sys.executable).parent


def generate(*command):
    result = subprocess.run([PROGRAMS / command[0], *command[1:]], capture_output=True, text=True, timeout=240)
    told = result.stdout + result.stderr
    assert result.returncode == 0 and "warning" not in told.lower(), told[-6000:]


@pytest.fixture(scope="module")
def contract(tmp_path_factory):
    """The contract as one file."""
    file = tmp_path_factory.mktemp("contract") / "openapi.json"
    file.write_text(json.dumps(DOCUMENT))
    return file


@pytest.fixture(scope="module")
def client(tmp_path_factory, contract):
    """The package that openapi-python-client generates."""
    folder = tmp_path_factory.mktemp("clients")
    settings = folder / "settings.yml"
    # No formatting of the generated code. The generator does not know NDJSON, which is text.
    settings.write_text('post_hooks: []\ncontent_type_overrides: {"application/x-ndjson": "text/plain"}\n')
    package = folder / "waymark_client"
    options = ["--path", contract, "--output-path", package, "--meta", "none", "--config", settings]
    generate("openapi-python-client", "generate", "--fail-on-warning", *options)
    sys.path.insert(0, str(folder))
    yield importlib.import_module("waymark_client")
    sys.path.remove(str(folder))


def test_every_module_of_the_generated_client_can_be_imported(client):
    modules = [module.name for module in pkgutil.walk_packages(client.__path__, "waymark_client.")]
    for name in modules:
        importlib.import_module(name)
    assert len(modules) > 200


def test_the_generated_client_does_the_main_job(client, waymark):
    def operation(tag, name):
        return importlib.import_module(f"waymark_client.api.{tag}.{name}").sync_detailed

    models = importlib.import_module("waymark_client.models")
    slug = waymark.create_organization()
    caller = client.AuthenticatedClient(
        base_url=waymark.url, token=waymark.token(organization=slug), raise_on_unexpected_status=True
    )
    team, _, bundle = APP.partition(".")
    answers = [
        operation("registry", "create_team")(client=caller, body=models.NewTeam(team_id=team, name="Example")),
        operation("registry", "create_app")(client=caller, body=models.NewApp(team_id=team, bundle_id=bundle)),
    ]
    host = waymark.new_host()
    answers.append(operation("domains", "create_domain")(client=caller, body=models.NewDomain(host=host)))
    rules = [
        models.NewRule(path="/buy/*", apps=[APP]),
        # Generated clients often send null for omitted fields.
        models.NewRule(path="/account/*", query=None, fragment=None, exclude=True, comment=None),
    ]
    for rule in rules:
        answers.append(operation("drafts", "create_rule")(host, client=caller, body=rule, if_match="*"))
    assert [answer.status_code for answer in answers] == [201] * 5, answers
    published = operation("publishing", "create_publication")(
        host, client=caller, body=models.NewPublication(message="First"), wait=30
    ).parsed
    assert isinstance(published, models.Publication) and published.state == "live", published
    version = operation("publishing", "show_version")(host, published.version, client=caller).parsed
    live = json.loads(waymark.served(host, version.sha256).content)
    rules = live["applinks"]["details"][0]["components"]
    assert [rule["/"] for rule in rules] == ["/account/*", "/buy/*"]

    refused = operation("domains", "create_domain")(client=caller, body=models.NewDomain(host=host)).parsed
    assert isinstance(refused, models.Problem) and refused.code == "exists"
    teams = operation("registry", "list_teams")(client=caller).parsed
    assert [found.team_id for found in teams.items] == [team] and teams.next_ is None


def test_datamodel_code_generator_reads_the_contract(tmp_path, contract):
    options = ["--input", contract, "--input-file-type", "openapi", "--output-model-type", "pydantic_v2.BaseModel"]
    made = tmp_path / "models.py"
    generate("datamodel-codegen", *options, "--formatters", "builtin", "--output", made)
    named = {}
    exec(compile(made.read_text(), made, "exec"), named)
    names = DOCUMENT["components"]["schemas"]
    assert not [name for name in names if name not in named]
