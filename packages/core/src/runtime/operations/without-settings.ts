import type { Agent, CatalogueState, PromptCommand, ProviderInfo } from "../../ground/schema/index.ts"
import type { ConfigReport } from "../../setup/config/config-report.ts"

// What callers without `settings.read` get: only what the pages of sessions need.

/**
 * What new sessions start with, and whether something waits for trust. No files, and no values that say where or how.
 */
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

/** The agent's name, purpose and model, without rights and texts. */
export function namedAgent({ name, description, mode, native, hidden, model, variant, color, problem }: Agent): Agent {
  return {
    name,
    description,
    mode,
    native,
    hidden,
    model,
    variant,
    color,
    permission: [],
    prompt: null,
    temperature: null,
    topP: null,
    steps: null,
    options: {},
    problem: problem && `The agent "${name}" cannot be read. A member sees why.`,
  }
}

/** The provider's models, and whether it is connected. No addresses or environment variables. */
export function namedProvider({ id, name, source, connected, models, problem }: ProviderInfo): ProviderInfo {
  const said = problem && "It cannot be used. A member sees why."
  return { id, name, source, connected, models, env: [], baseURL: null, problem: said }
}

/** How old a catalogue is. No file or address. */
export function datedCatalogue(state: CatalogueState): CatalogueState {
  return { ...state, from: null, problem: state.problem && "It cannot be used. A member sees why." }
}

/** The command without the file that defines it. */
export function namedCommand(command: PromptCommand): PromptCommand {
  return { ...command, file: null }
}
