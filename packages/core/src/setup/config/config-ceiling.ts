import type { AgentConfig, Config } from "./schema.ts"

/** Permission rules that nothing may exceed, whatever the merged configuration allows. */
export interface ConfigCeiling {
  rules: { permission?: Config["permission"]; agent?: Record<string, Pick<AgentConfig, "permission" | "tools">> }
  /** `denials`: only what it denies counts, and all else is left open. */
  only: "all" | "denials"
}

/** The permission rules of a config as a ceiling. */
export function configCeiling({ permission, agent = {} }: Config, only: ConfigCeiling["only"]): ConfigCeiling {
  const agents = Object.entries(agent).flatMap(([name, { permission, tools }]) =>
    permission || tools ? [[name, { ...(permission && { permission }), ...(tools && { tools }) }] as const] : [],
  )
  return { rules: { ...(permission && { permission }), agent: Object.fromEntries(agents) }, only }
}
