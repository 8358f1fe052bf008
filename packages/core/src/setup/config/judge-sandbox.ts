import { liftingKeys, tightenSandbox, withAbsolutePlaces } from "../../ground/schema/sandbox-config.ts"
import type { ConfigProblem } from "./config-report.ts"
import type { ParsedSource } from "./parse-config-source.ts"
import { referencedFile } from "./project-references.ts"
import type { Config } from "./schema.ts"

/** The sandbox as each file of a project makes it tighter, trusted or not; and what these would lift. */
export function judgeSandbox(
  { sandbox: own }: Config,
  parsed: readonly ParsedSource[],
  home: string,
): { sandbox: Pick<Config, "sandbox">; lifting: ConfigProblem[] } {
  const asking = parsed.flatMap(({ config, source, place }) => {
    const absolute = (name: string) => referencedFile(name, { directory: source.directory, home })
    return config?.sandbox ? [{ file: source.file, place, asked: withAbsolutePlaces(config.sandbox, absolute) }] : []
  })
  const lifting = asking.flatMap(({ file, place, asked }) =>
    liftingKeys(asked, own).map((path): ConfigProblem => {
      const message = `"sandbox.${path.join(".")}" is left out: a project can only make the sandbox tighter. Set it in your own docket.json.`
      return { file, ...place(["sandbox", ...path]), message }
    }),
  )
  if (asking.length === 0) return { sandbox: {}, lifting }
  return { sandbox: { sandbox: asking.reduce((tight, { asked }) => tightenSandbox(tight, asked), own ?? {}) }, lifting }
}
