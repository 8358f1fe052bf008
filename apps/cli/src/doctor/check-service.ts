import { type DocketClient, docketCode } from "@docket/client"
import { endedMessage, limitRows, meansMessage } from "@docket/core/limit-messages"
import type { SandboxLimits, SandboxState } from "@docket/core/schema"
import type { Check } from "./check.ts"
import { checkModels } from "./check-models.ts"

/** The checks that a running service answers. Without a service only the sandbox is checked. */
export async function checkService(
  client: DocketClient | null,
  ownSandbox?: () => Promise<SandboxState>,
): Promise<Check[]> {
  if (client === null) {
    const text = "not looked at, because no service runs: start one with docket serve"
    const sandbox = ownSandbox === undefined ? [] : [sandboxCheck(await ownSandbox())]
    return [{ name: "database, models", state: "warn", text }, ...sandbox]
  }
  const [projects, providers, config, sandbox, limits, dropped] = await Promise.all([
    client.project.list.query(),
    client.provider.list.query({}),
    client.config.get.query({}),
    client.sandbox.state.query(),
    whereAllowed(client.sandbox.limits.query()),
    whereAllowed(client.sandbox.dropped.query()),
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
    ...(limits === null ? [] : [limitsCheck(limits)]),
    ...(dropped === null ? [] : [variablesCheck(dropped)]),
  ]
}

/** Viewers and reviewers may not read everything: null when the role of the caller is not allowed to. */
async function whereAllowed<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call
  } catch (error) {
    if (docketCode(error) === "forbidden") return null
    throw error
  }
}

/** The environment variables of the service that commands do not get, and how to pass them on. */
export function variablesCheck(dropped: readonly string[]): Check {
  if (dropped.length === 0)
    return { name: "variables", state: "ok", text: "commands get every variable of the service" }
  const text = `commands do not get ${dropped.join(", ")}. To pass one, name it in "sandbox": { "env": […] } of your own docket.json; what a provider's configuration reads never passes.`
  return { name: "variables", state: "ok", text }
}

/** The resource limits of commands, and which commands were ended because they exceeded one. */
export function limitsCheck(limits: SandboxLimits): Check {
  const rows = limitRows(limits).map(({ name, value }) => `${name.toLowerCase()}: ${value}`)
  const ended = limits.ended.map((one) => `${new Date(one.at).toISOString()} ${endedMessage(one)}`)
  const endedCommands = ended.length === 0 ? [] : [`Commands ended since the start: ${ended.join("; ")}.`]
  const text = [`${rows.join("; ")}.`, meansMessage(limits.means), ...endedCommands].join(" ")
  return { name: "limits", state: limits.means === "none" || ended.length > 0 ? "warn" : "ok", text }
}

function sandboxCheck({ state, reason, remedy, image }: SandboxState): Check {
  if (state === "on") {
    return {
      name: "sandbox",
      state: "ok",
      text: image === undefined ? "on" : `on, in containers of the image ${image}`,
    }
  }
  return { name: "sandbox", state: "warn", text: [`${state}:`, reason, remedy].filter(Boolean).join(" ") }
}
