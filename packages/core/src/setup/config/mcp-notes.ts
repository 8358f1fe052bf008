import { type McpServerConfig, McpServerConfig as Server } from "../../ground/schema/mcp-config.ts"
import { npxCommand } from "./npx-command.ts"
import { hiddenValue, isReference, withoutLogin } from "./shown-value.ts"

/** `${NAME}` and `${NAME:-text}` in `.mcp.json`; `$NAME` is none. */
export const mcpVariable = /\$\{([A-Za-z_]\w*)(?::-([^{}]*))?\}/g

/** What a project's server does once it counts, in sentences for the trust dialog. */
export function mcpNotes(value: unknown): string[] {
  const read = Server.safeParse(value)
  if (!read.success) return ["Switches a server on or off."]
  return [...whatItDoes(read.data), ...variablesOf(value).map((name) => `Reads the environment variable ${name}.`)]
}

function whatItDoes(server: McpServerConfig): string[] {
  if (server.type === "remote") return [`Sends to ${server.url} what agents ask of it, and gives them its tools.`]
  const { command, network = "open", writable, sandbox } = server
  const reach = {
    open: "reaches the network, this machine too",
    project: "reaches the hosts that commands may reach",
    none: "reaches no network",
  }
  const npx = npxCommand(command)
  return [
    `Runs \`${command.join(" ")}\` as a program. Where there is a sandbox, it only reads the project and ${reach[network]}; without one it has your rights.`,
    ...(npx === null ? [] : [`Its package, ${npx.spec} of npm, is installed only once somebody has agreed to it.`]),
    ...(writable === undefined && sandbox === undefined
      ? []
      : ['Its "sandbox" and "writable" do not count: only your own servers change other places.']),
  ]
}

function variablesOf(value: unknown): string[] {
  const found = [...JSON.stringify(value).matchAll(mcpVariable)].map(([, name = ""]) => name)
  return [...new Set(found)]
}

/** A server as it is written, without values that let somebody in. */
export function shownMcp(value: unknown): string {
  const hide = (values: Record<string, string>) =>
    Object.fromEntries(
      Object.entries(values).map(([name, text]) => [
        name,
        isReference(text) || isOnlyVariables(text) ? text : hiddenValue,
      ]),
    )
  const read = Server.safeParse(value)
  if (!read.success) return JSON.stringify(value)
  const { data } = read
  if (data.type === "local")
    return JSON.stringify({ ...data, ...(data.environment && { environment: hide(data.environment) }) })
  const oauth = data.oauth && {
    ...data.oauth,
    ...hide(textsOf(data.oauth, ["clientSecret", "privateKey"])),
    ...(data.oauth.idp && {
      idp: { ...data.oauth.idp, ...hide(textsOf(data.oauth.idp, ["clientSecret", "idToken"])) },
    }),
  }
  return JSON.stringify({
    ...data,
    url: withoutLogin(data.url),
    ...(data.headers && { headers: hide(data.headers) }),
    ...(oauth !== undefined && { oauth }),
  })
}

function textsOf(from: object, names: readonly string[]): Record<string, string> {
  const found = Object.entries(from).filter(([name, text]) => names.includes(name) && typeof text === "string")
  return Object.fromEntries(found)
}

function isOnlyVariables(text: string): boolean {
  return text.replace(/^(?:Bearer|Basic) /i, "").replace(mcpVariable, (_, _name, usual = "") => usual) === ""
}
