import { isLoopbackURL } from "./loopback.ts"
import type { Config, ProviderConfig } from "./schema.ts"

export interface LimitedConfig {
  config: Config
  problems: { path: string[]; message: string }[]
}

const remedy = "move it to your global docket.json"

/** True when nothing of the project sends this provider's traffic to another machine. */
export function staysLocal(provider: ProviderConfig | undefined): boolean {
  const url = provider?.options?.baseURL
  return url !== undefined && isLoopbackURL(url)
}

/**
 * What a repository's own docket.json may not do, so that opening a stranger's project cannot send your keys
 * away: redirect or decorate a provider that you already have, name environment variables to read keys from,
 * or make instructions of files outside it. A provider on this machine is free, and so is a new one with a key of its own.
 *
 * @param existing ids of providers that ship with Docket or are set in the user's own config
 */
export function limitProjectConfig(config: Config, existing: ReadonlySet<string>): LimitedConfig {
  const problems: LimitedConfig["problems"] = []
  const limited = structuredClone(config)
  for (const [id, provider] of Object.entries(limited.provider ?? {})) {
    if (staysLocal(provider)) continue
    const path = ["provider", id]
    if (provider.env) {
      delete provider.env
      problems.push({ path: [...path, "env"], message: `a project may not choose which keys are read; ${remedy}` })
    }
    if (!existing.has(id) || !provider.options) continue
    for (const key of ["baseURL", "headers"] as const) {
      if (provider.options[key] === undefined) continue
      delete provider.options[key]
      const message = `a project may not change where "${id}" sends your requests; ${remedy}`
      problems.push({ path: [...path, "options", key], message })
    }
  }
  limited.instructions = limited.instructions?.filter((pattern, index) => {
    if (!/^[a-z]+:|^[~/\\]|(?:^|[/\\])\.\.(?:[/\\]|$)/i.test(pattern)) return true
    const message = `a project's instructions are files inside it, named by a relative path; for others, ${remedy}`
    problems.push({ path: ["instructions", String(index)], message })
    return false
  })
  if (!limited.instructions) delete limited.instructions
  return { config: limited, problems }
}
