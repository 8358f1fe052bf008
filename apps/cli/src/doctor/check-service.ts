import type { DocketClient } from "@docket/client"
import type { SandboxState } from "@docket/core/schema"
import type { Check } from "./check.ts"
import { checkModels } from "./check-models.ts"

/** What a running service knows; without one only the sandbox is tried. */
export async function checkService(
  client: DocketClient | null,
  ownSandbox?: () => Promise<SandboxState>,
): Promise<Check[]> {
  if (client === null) {
    const text = "not looked at, because no service runs: start one with docket serve"
    const sandbox = ownSandbox === undefined ? [] : [sandboxCheck(await ownSandbox())]
    return [{ name: "database, models", state: "warn", text }, ...sandbox]
  }
  const [projects, providers, config, sandbox] = await Promise.all([
    client.project.list.query(),
    client.provider.list.query({}),
    client.config.get.query({}),
    client.sandbox.state.query(),
  ])
  const problems = config.problems.map(({ file, line, message }) => `${file}:${line ?? 1} ${message}`)
  return [
    {
      name: "database",
      state: "ok",
      text: `answers (${projects.length} ${projects.length === 1 ? "project" : "projects"})`,
    },
    checkModels(providers),
    problems.length === 0
      ? { name: "configuration", state: "ok", text: "can be read" }
      : { name: "configuration", state: "warn", text: problems.join("; ") },
    sandboxCheck(sandbox),
  ]
}

function sandboxCheck({ state, reason, remedy }: SandboxState): Check {
  if (state === "on") return { name: "sandbox", state: "ok", text: "on" }
  return { name: "sandbox", state: "warn", text: [`${state}:`, reason, remedy].filter(Boolean).join(" ") }
}
