import { wrapperUsages } from "./wrapper-options.ts"

export const shells: ReadonlySet<string> = new Set(["sh", "bash", "dash", "zsh", "ksh", "ash", "fish"])
/** Run a script that is an argument of theirs, later or at once. */
export const scriptRunners: ReadonlySet<string> = new Set(["eval", "trap"])
/** Run the command behind these words. */
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
/** Without a script as argument they run what comes through standard input. */
export const interpreters: ReadonlySet<string> = new Set([
  ...shells,
  "python",
  "python3",
  "node",
  "perl",
  "ruby",
  "php",
  "deno",
  "bun",
])
/** "Always" for one of these with any arguments would be "always" for everything. */
export const neverByPrefix: ReadonlySet<string> = new Set([
  ...Object.keys(wrapperUsages),
  ...shells,
  ...scriptRunners,
  ".",
  "alias",
  "awk",
  "declare",
  "export",
  "fd",
  "fdfind",
  "find",
  "hash",
  "mapfile",
  "perl",
  "readarray",
  "ruby",
  "runuser",
  "script",
  "source",
  "ssh",
  "su",
])
/** How many words name what such a command does: "always" for `git log` is not for `git push`. Default 1. */
export const prefixWords: Readonly<Record<string, number>> = {
  git: 2,
  gh: 2,
  npm: 2,
  "npm run": 3,
  pnpm: 2,
  "pnpm run": 3,
  yarn: 2,
  "yarn run": 3,
  bun: 2,
  "bun run": 3,
  npx: 2,
  cargo: 2,
  go: 2,
  docker: 2,
  "docker compose": 3,
  kubectl: 2,
  make: 2,
  pip: 2,
  uv: 2,
  poetry: 2,
  apt: 2,
  "apt-get": 2,
  brew: 2,
  systemctl: 2,
  terraform: 2,
  deno: 2,
  dotnet: 2,
  mvn: 2,
  gradle: 2,
  python: 2,
  python3: 2,
  node: 2,
}
