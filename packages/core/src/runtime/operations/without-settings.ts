import type { Agent, PromptCommand, ProviderInfo } from "../../ground/schema/index.ts"
import type { ConfigReport } from "../../setup/config/config-report.ts"

// What those are told who may not see the configuration: what the pages of sessions cannot do without.

/** What new sessions begin with, and whether something waits for trust: no file, no value that says where or how. */
export function namedConfig({ config, trust }: ConfigReport): ConfigReport {
  const { model, default_agent, share } = config
  return {
    config: { ...(model && { model }), ...(default_agent && { default_agent }), ...(share && { share }) },
    files: [],
    problems: [],
    closures: [],
    trust: { state: trust.state, directory: null, hash: null, entries: [] },
  }
}

/** What an agent is called and is for, and its model: neither rights nor texts. */
export function namedAgent({ name, description, mode, native, hidden, model, variant, color, problem }: Agent): Agent {
  return {
    ...{ name, description, mode, native, hidden, model, variant, color },
    permission: [],
    prompt: null,
    temperature: null,
    topP: null,
    steps: null,
    options: {},
    problem: problem && `The agent "${name}" cannot be read. A member sees why.`,
  }
}

/** Its models and whether it is connected: neither address nor variables. */
export function namedProvider({ id, name, source, connected, models, problem }: ProviderInfo): ProviderInfo {
  const said = problem && "It cannot be used. A member sees why."
  return { id, name, source, connected, models, env: [], baseURL: null, problem: said }
}

/** All but the file that defines it. */
export function namedCommand(command: PromptCommand): PromptCommand {
  return { ...command, file: null }
}
