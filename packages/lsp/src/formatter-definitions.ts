import path from "node:path"
import { readBoundedFileSync } from "@docket/core"
import { isWithin, type NamedProgram } from "./find-program.ts"
import { isRecord } from "./read-diagnostics.ts"

/** A file by which a project chooses a formatter. */
export interface FormatterMarker {
  name: string
  /** Whether the file chooses it; without this, that it is there is enough. */
  chooses?(text: string): boolean
}

/** A formatter that Docket knows how to start: it gets the text on its input and writes the new text. */
export interface FormatterDefinition {
  id: string
  extensions: readonly string[]
  /** `$FILE` in its arguments stands for the file, `$EXTENSION` for its ending without the dot. */
  program: NamedProgram
  markers: readonly FormatterMarker[]
  env?: Readonly<Record<string, string>>
  /** Further arguments for a file. */
  argumentsFor?(file: string, worktree: string): readonly string[]
}

/** Bytes of a file that may choose a formatter; a larger one chooses none. */
const maxMarker = 1024 * 1024

/** The text of a marker; null when it is missing or too large. */
export function markerText(file: string): string | null {
  try {
    return readBoundedFileSync(file, maxMarker).toString()
  } catch {
    return null
  }
}

const scripts = [".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"]
const styles = [".css", ".scss", ".less"]
const data = [".json", ".jsonc", ".json5", ".yaml", ".yml", ".graphql", ".gql"]
const pages = [".html", ".vue", ".svelte", ".astro", ".md", ".mdx", ".hbs"]
const codeEndings = ["js", "mjs", "cjs", "ts", "mts", "cts"]

const named = (...names: string[]): FormatterMarker[] => names.map((name) => ({ name }))
const section = (name: string) => (text: string) => new RegExp(`^[ \\t]*\\[tool\\.${name}[.\\]]`, "m").test(text)

/**
 * The formatters that need no configuration of Docket, where the project chooses them. In one directory the first one
 * wins.
 */
export const formatterDefinitions: readonly FormatterDefinition[] = [
  {
    id: "biome",
    extensions: [...scripts, ".json", ".jsonc", ".css", ".graphql", ".gql", ".vue", ".svelte", ".astro"],
    program: {
      name: "biome",
      args: ["format", "--stdin-file-path=$FILE"],
      package: "@biomejs/biome",
      // It loads plugins for whatever it does, also those written in JavaScript.
      runsCode: "its configuration can load code of the project",
    },
    markers: named("biome.json", "biome.jsonc", ".biome.json", ".biome.jsonc"),
  },
  {
    id: "prettier",
    extensions: [...scripts, ...styles, ...data, ...pages],
    program: {
      name: "prettier",
      args: ["--stdin-filepath", "$FILE"],
      package: "prettier",
      // Whether a configuration names a plugin can be hidden in many ways, so none is judged.
      runsCode: "its configuration can load code of the project",
    },
    markers: [
      ...named(".prettierrc", ...["json", "yaml", "yml", "json5", "toml"].map((ending) => `.prettierrc.${ending}`)),
      ...named(...codeEndings.flatMap((ending) => [`.prettierrc.${ending}`, `prettier.config.${ending}`])),
      { name: "package.json", chooses: hasPrettierKey },
      { name: "package.yaml", chooses: (text) => /^["']?prettier["']?[ \t]*:/m.test(text) },
    ],
  },
  {
    id: "dprint",
    extensions: [...scripts, ...styles, ...data, ".html", ".vue", ".svelte", ".astro", ".md", ".toml"],
    program: { name: "dprint", args: ["fmt", "--stdin", "$FILE"], package: "dprint", runsCode: "its plugins are code" },
    markers: named("dprint.json", "dprint.jsonc", ".dprint.json", ".dprint.jsonc"),
  },
  {
    id: "deno",
    extensions: [...scripts, ".json", ".jsonc", ".md", ".css", ".html", ".yaml", ".yml"],
    program: { name: "deno", args: ["fmt", "--ext=$EXTENSION", "-"], package: "deno" },
    markers: named("deno.json", "deno.jsonc"),
    env: { DENO_NO_UPDATE_CHECK: "1" },
  },
  {
    id: "rustfmt",
    extensions: [".rs"],
    program: { name: "rustfmt", args: ["--quiet"], runsCode: "rust-toolchain.toml can name a program of the project" },
    markers: named("rustfmt.toml", ".rustfmt.toml", "Cargo.toml"),
    argumentsFor: rustEdition,
  },
  {
    id: "gofmt",
    extensions: [".go"],
    program: { name: "gofmt", args: [] },
    markers: named("go.mod", "go.work"),
  },
  {
    id: "black",
    extensions: [".py", ".pyi"],
    program: { name: "black", args: ["--quiet", "--stdin-filename", "$FILE", "-"] },
    markers: [{ name: "pyproject.toml", chooses: section("black") }],
  },
  {
    id: "ruff",
    extensions: [".py", ".pyi"],
    program: { name: "ruff", args: ["format", "--no-cache", "--quiet", "--stdin-filename", "$FILE", "-"] },
    markers: [...named("ruff.toml", ".ruff.toml"), { name: "pyproject.toml", chooses: section("ruff") }],
  },
  {
    id: "shfmt",
    extensions: [".sh", ".bash", ".bats"],
    program: { name: "shfmt", args: ["--filename", "$FILE"] },
    // Most projects have the file for other languages.
    markers: [{ name: ".editorconfig", chooses: hasShellSection }],
  },
  {
    id: "clang-format",
    extensions: [".c", ".h", ".cc", ".cpp", ".cxx", ".hpp", ".hh", ".m", ".mm", ".proto"],
    program: { name: "clang-format", args: ["--assume-filename=$FILE"] },
    markers: named(".clang-format", "_clang-format"),
  },
  {
    id: "stylua",
    extensions: [".lua"],
    program: { name: "stylua", args: ["--search-parent-directories", "--stdin-filepath", "$FILE", "-"] },
    markers: named("stylua.toml", ".stylua.toml"),
  },
]

function hasPrettierKey(text: string): boolean {
  try {
    const read: unknown = JSON.parse(text)
    return isRecord(read) && read.prettier !== undefined
  } catch {
    return false
  }
}

/** The lines are short, so that no line of a hostile project takes long to compare. */
function hasShellSection(text: string): boolean {
  return text.split("\n").some((line) => line.length < 200 && /^[ \t]*\[.*\b(sh|bash|bats|shell)\b.*\]/.test(line))
}

/** Without the edition of the package, rustfmt reads a text as Rust of 2015. */
function rustEdition(file: string, worktree: string): readonly string[] {
  for (let at = path.dirname(file); isWithin(worktree, at); at = path.dirname(at)) {
    const edition = /^[ \t]*edition[ \t]*=[ \t]*"(\d{4})"/m.exec(markerText(path.join(at, "Cargo.toml")) ?? "")?.[1]
    if (edition !== undefined) return ["--edition", edition]
    if (at === worktree) break
  }
  return []
}
