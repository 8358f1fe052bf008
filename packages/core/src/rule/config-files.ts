/** `docket.json`, `docket.jsonc` and everything in `.docket`; file systems that ignore case find them in any. */
const configFile = /(?:^|[/\\])(?:docket\.jsonc?|\.docket(?:[/\\].*)?)$/is

/**
 * Whether a path, or a pattern of paths, names configuration of Docket. An edit of it could give an agent rights that
 * nobody gave it, so it is asked for unless a rule names such files too: `edit: allow` does not speak of them.
 */
export function namesConfig(pathOrPattern: string): boolean {
  return configFile.test(pathOrPattern)
}
