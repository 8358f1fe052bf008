import type { ConfigProblem } from "./config-report.ts"
import type { ParsedSource } from "./parse-config-source.ts"
import type { ProviderConfig } from "./schema.ts"

/** The settings that decide where a provider's requests go and which key they carry. */
const reach = ["npm", "env", "options"] as const

const remedy = "Who runs the service sets it in the workspace's own docket.json."

/**
 * A project's configuration on a shared service: even a trusted project may not send the service's keys elsewhere. Of
 * providers that exist without the project only the models may change; providers that the project adds get no key from
 * the environment.
 *
 * @param known ids of the providers that exist without the project
 */
export function withoutReach(parsed: ParsedSource, known: ReadonlySet<string>): ParsedSource {
  const providers = parsed.config?.provider
  if (parsed.config === null || providers === undefined) return parsed
  const problems: ConfigProblem[] = []
  const limited = Object.entries(providers).map(([id, provider]): [string, ProviderConfig] => {
    const taken = reach.filter((key) => provider[key] !== undefined && (key === "env" || known.has(id)))
    for (const key of taken) {
      const message = `"provider.${id}.${key}" is left out: a project decides nothing about where keys of a shared service go. ${remedy}`
      problems.push({ file: parsed.source.file, ...parsed.place(["provider", id, key]), message })
    }
    const { npm: _npm, env: _env, options: _options, ...rest } = provider
    if (known.has(id)) return [id, rest]
    return [id, { ...provider, env: [] }]
  })
  return {
    ...parsed,
    config: { ...parsed.config, provider: Object.fromEntries(limited) },
    problems: [...parsed.problems, ...problems],
  }
}

/** Why a reference of such a project is not filled in. */
export function heldReference(kind: "env" | "file", name: string): string {
  const what = kind === "env" ? "the service's variables" : "files outside the project"
  return `{${kind}:${name}} is not filled in: where several people share a service, a project reads none of ${what}. ${remedy}`
}
