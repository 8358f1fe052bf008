import { realpathSync, statSync } from "node:fs"
import path from "node:path"
import { isWithin } from "../../ground/file/is-within.ts"
import type { Mount } from "./mount.ts"

/** Where tools for languages and versions of them install themselves in a home; none of these keeps keys there. */
const toolsOfHome = [
  ".nvm .fnm .volta .asdf .pyenv .rbenv .nodenv .jenv .goenv .sdkman .rustup .cargo/bin .bun/bin .deno/bin .dotnet .ghcup",
  ".juliaup .opam .pub-cache/bin .npm-global .yarn/bin go/bin miniconda3 miniforge3 anaconda3 .local/bin .local/lib",
  ".local/share/mise .local/share/rtx .local/share/fnm .local/share/uv .local/share/pipx .local/pipx .cache/ms-playwright",
]
  .join(" ")
  .split(" ")

/** In a home these hold more than programs: of them a directory on the search path is shown alone. */
const sharedByMuch = ". .local .config .cargo .cache .npm .bun .deno .yarn go".split(" ")

export interface ProgramPlaces {
  home: string
  /** The variable PATH of the service. */
  path: string | undefined
  /** Where Docket keeps its own. */
  own: readonly string[]
  /** Shown anyway. */
  system: readonly string[]
}

/** Programs that are installed outside the system's directories: those on the search path, and tools in the home. */
export function programMounts({ home, path: directories = "", own, system }: ProgramPlaces): Mount[] {
  const ofHome = toolsOfHome.map((name) => path.join(home, name)).filter(isDirectory)
  const found = directories.split(path.delimiter).flatMap((directory) => {
    if (!path.isAbsolute(directory) || !isDirectory(directory)) return []
    const named = installationOf(directory, home)
    const real = installationOf(realpathSync(directory), home)
    return named === real ? [named] : [named, real]
  })
  const shown = [...new Set([...ofHome, ...found])].filter((place) => {
    if (place === "/" || isWithin(place, home)) return false
    if (own.some((directory) => isWithin(directory, place) || isWithin(place, directory))) return false
    return !system.some((directory) => isWithin(directory, place))
  })
  const widest = shown.filter((place) => !shown.some((other) => other !== place && isWithin(other, place)))
  return widest.map((place) => ({ kind: "read", path: place }))
}

/** What is installed together with a directory of programs: `…/node-24` for `…/node-24/bin`. */
function installationOf(directory: string, home: string): string {
  const parent = path.dirname(directory)
  const name = path.basename(directory)
  if (name === ".bin" && path.basename(parent) === "node_modules") return parent
  if (name !== "bin" && name !== "sbin") return directory
  const isShared = isWithin(home, parent) && sharedByMuch.includes(path.relative(home, parent) || ".")
  return isShared || path.dirname(parent) === "/" ? directory : parent
}

function isDirectory(place: string): boolean {
  try {
    return statSync(place).isDirectory()
  } catch {
    return false
  }
}
