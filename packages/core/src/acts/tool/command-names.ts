import { wordSet } from "./shell-command.ts"
import { wrapperUsages } from "./wrapper-options.ts"

export const shells = wordSet("sh bash dash zsh ksh ash fish")
/** Commands that run a script given as an argument, at once or later. */
export const scriptRunners = wordSet("eval trap")
/** These words run the command that follows them. */
export const runners: ReadonlySet<string> = new Set([
  "bundle exec",
  "git bisect run",
  "git submodule foreach",
  "npm exec",
  "npm x",
  "pipenv run",
  "pnpm exec",
  "poetry run",
  "uv run",
  "yarn exec",
])
/** Without a script as argument, these programs run what they read from standard input. */
export const interpreters: ReadonlySet<string> = new Set([
  ...shells,
  ...wordSet("python python3 node perl ruby php deno bun"),
])
/** "Always" for one of these with any arguments would allow nearly every command. */
export const neverByPrefix: ReadonlySet<string> = new Set([
  ...Object.keys(wrapperUsages),
  ...shells,
  ...scriptRunners,
  ...wordSet(". alias awk declare export fd fdfind find hash mapfile perl readarray ruby runuser script source ssh su"),
])
/** How many words identify what the command does, so "always" for `git log` does not cover `git push`. Default 1. */
export const prefixWords: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    [
      ...wordSet(
        "git gh npm pnpm yarn bun npx cargo go docker kubectl make pip uv poetry apt",
        "apt-get brew systemctl terraform deno dotnet mvn gradle python python3 node",
      ),
    ].map((name) => [name, 2]),
  ),
  "npm run": 3,
  "pnpm run": 3,
  "yarn run": 3,
  "bun run": 3,
  "docker compose": 3,
}
