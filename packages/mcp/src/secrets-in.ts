import { type KnownValue, secretsInEnvironment } from "@docket/core/redact"
import type { McpServerConfig } from "@docket/core/schema"

/** Values of a configuration whose names say that they are secret. A server may write them to its log. */
export function secretsIn(config: McpServerConfig): KnownValue[] {
  if (config.type === "local")
    return secretsInEnvironment({ ...optionsIn(config.command.slice(1)), ...config.environment })
  const headers = Object.entries(config.headers ?? {}).map(([name, value]) => [
    // The whole name is none of those that tell of a secret.
    /^authorization$/i.test(name) ? "auth" : name,
    withoutScheme(value),
  ])
  const { clientSecret } = config.oauth || {}
  return secretsInEnvironment({ ...Object.fromEntries(headers), clientSecret })
}

/** `--name=value` and `--name value`. */
function optionsIn(args: readonly string[]): Record<string, string> {
  const options = args.flatMap((arg, at) => {
    const [, name, value = args[at + 1] ?? ""] = /^--?([\w-]+)(?:=(.*))?$/s.exec(arg) ?? []
    return name === undefined ? [] : [[name, value]]
  })
  return Object.fromEntries(options)
}

/** `Bearer abc` is quoted as `abc` too. */
function withoutScheme(header: string): string {
  return header.trim().split(/\s+/).at(-1) ?? ""
}
