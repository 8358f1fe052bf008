import type { ConfigEntry } from "@docket/core"

type Described = Pick<ConfigEntry, "path" | "value" | "kind" | "note">

/**
 * How dangerous a configuration entry is: `careful` grants permissions, redirects requests or reads files outside of
 * the project; `stricter` is always in effect.
 */
export type EntryWeight = "careful" | "usual" | "stricter"

export function entryWeight({ kind, note }: Pick<ConfigEntry, "kind" | "note">): EntryWeight {
  if (kind === "permission-allows" || (note !== null && kind !== "instruction-file")) return "careful"
  return kind === "permission-restricts" ? "stricter" : "usual"
}

/** What the entry does, in plain words and without a full stop. Values are shown as they are written. */
export function describeEntry(entry: Described): string {
  const [section = "", name = "", key = "", ...rest] = entry.path
  switch (section) {
    case "permission":
      return describePermission("Any agent", entry, [name, key])
    case "agent":
      return describeAgent(entry, name, key, rest)
    case "provider":
      return describeProvider(entry, name, key, rest)
    case "model":
      return "Replaces the model that new sessions use: all that you write goes to it"
    case "small_model":
      return "Replaces the model that names sessions: it reads your first prompt"
    case "disabled_providers":
      return "Switches providers off: their models are not used here"
    case "enabled_providers":
      return "Names the only providers whose models are used here"
    case "default_agent":
      return "Replaces the agent that new sessions start with"
    case "instructions":
      return `Adds instructions from ${entry.value} to every prompt`
    case "instruction-file":
      return name.includes("/")
        ? "Tells agents how to work here: they read it with the files beside it, or in prompts if a setting names it"
        : "Tells agents how to work here, as part of their prompts"
    case "command":
      return describeCommand(name, key)
    case "skill":
      return `Adds the skill “${name}”: agents read it when they choose to`
    case "tool":
      return `Adds the tool “${name}”: a program that agents run here once you allow it`
    case "mcp":
    case "mcp-server":
      return `Adds the MCP server “${name}”: agents use its tools once you allow it`
    case "plugin":
      return describePlugin(entry, name)
    case "hook":
      return `Runs programs when agents work here, as ${name} sets them for Claude Code`
    case "hooks":
      return `Runs a program at ${name} when agents work here`
    case "share_author":
      return "Names who stands as the author of shared pages"
    case "share_embed_sites":
      return "Lets pages of other sites show what you share in a frame"
    case "api":
      return "Sets something that counts in your own file only: here it does nothing"
    case "delegation":
      return "Changes how much delegated work may run and cost"
    default:
      return `Sets ${entry.path.join(".")}`
  }
}

/** A file is named by itself, an entry of the configuration by its number. */
function describePlugin({ value, path }: Described, name: string): string {
  // Lists are shown whole.
  if (name === "") return `Adds the plugins ${value}: programs that see and change what models and tools get`
  if (!/^\d+$/.test(name)) return `Adds the plugin “${name}”: a program that sees and changes what models and tools get`
  if (path.includes("1", 2)) return "Gives the plugin an option"
  return `Adds the plugin ${value}: a program that sees and changes what models and tools get`
}

const abilities: Record<string, string> = {
  "": "do everything",
  "*": "do everything",
  bash: "run commands",
  edit: "change files",
  read: "read files",
  external_directory: "work on files outside the project",
  webfetch: "fetch web pages",
  websearch: "search the web",
  task: "start subagents",
  memory: "use the memory",
  skill: "load skills",
  doom_loop: "make the same call again and again",
}

/** Tools that share the permission of another tool. */
const permissionOf: Record<string, string> = { write: "edit", patch: "edit" }

function describePermission(who: string, { value }: Described, [name = "", pattern = ""]: string[]): string {
  const ability = abilities[permissionOf[name] ?? name] ?? `use “${name}”`
  const where = pattern === "" || pattern === "*" ? "" : ` where it matches “${pattern}”`
  if (value === "ask") return `${who} must ask before it may ${ability}${where}`
  if (value === "deny" || value === "false") return `${who} may not ${ability}${where}`
  return `${who} may ${ability} without asking${where}`
}

function describeAgent(entry: Described, name: string, key: string, rest: string[]): string {
  switch (key) {
    case "permission":
    case "tools":
      return describePermission(`The agent “${name}”`, entry, rest)
    case "prompt":
      return `Says what the agent “${name}” is to do`
    case "model":
      return `Replaces the model of the agent “${name}”: all that you write to it goes there`
    case "description":
      return `Says when other agents hand work to “${name}”`
    case "disable":
      return `Turns the agent “${name}” ${entry.value === "true" ? "off" : "on"}`
    case "":
      return `Adds the agent “${name}”`
    default:
      return `Sets “${[key, ...rest].join(".")}” of the agent “${name}”`
  }
}

function describeCommand(name: string, key: string): string {
  if (key === "" || key === "template") return `Adds the command /${name}: what it says is sent as your prompt`
  return `Sets “${key}” of the command /${name}`
}

function describeProvider(entry: Described, id: string, key: string, [option = "", ...rest]: string[]): string {
  switch (key) {
    case "options":
      return describeOption(entry, id, option, rest)
    case "env":
      return `Takes the key for “${id}” from your environment`
    case "npm":
      return `Says in which protocol “${id}” is called`
    case "models":
      return `Adds or changes the model “${option}” of “${id}”`
    case "":
      return `Adds the provider “${id}”`
    default:
      return `Sets “${[key, option].filter(Boolean).join(".")}” of the provider “${id}”`
  }
}

function describeOption({ value, note }: Described, id: string, option: string, rest: string[]): string {
  if (option === "baseURL") {
    const where = hostOf(value) ?? value
    return note === null ? `Calls “${id}” on this machine, at ${where}` : `Sends what you write for “${id}” to ${where}`
  }
  if (option === "apiKey") return `Sets the key that is sent to “${id}”`
  if (option === "headers") return `Sends the header “${rest.join(".")}” with every request to “${id}”`
  return `Sets “${[option, ...rest].join(".")}” of the provider “${id}”`
}

/** The host of an address; null if it contains variables or is invalid. */
function hostOf(url: string): string | null {
  if (/[{…]/.test(url) || !URL.canParse(url)) return null
  return new URL(url).host
}
