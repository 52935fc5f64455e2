"""Renders Jinja templates as tokenizers do: reads {"template", "messages", "add_generation_prompt"} a line."""

import functools
import json
import sys

from jinja2.sandbox import ImmutableSandboxedEnvironment

environment = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True)
compiled = functools.cache(environment.from_string)

for line in sys.stdin:
    job = json.loads(line)
    template = compiled(job.pop("template"))
    print(json.dumps(template.render(**job)))
