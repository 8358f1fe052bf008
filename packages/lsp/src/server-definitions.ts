import type { NamedProgram } from "./find-program.ts"

/** A language server that Docket knows how to start. */
export interface ServerDefinition {
  id: string
  extensions: readonly string[]
  /** The first one that is found is used. */
  programs: readonly NamedProgram[]
  /** Names of files that mark the directory in which it works; the nearest one above a file counts. */
  markers: readonly string[]
  /** It works only below a marker. */
  needsMarker?: true
  /** Programs without which it reports nothing. */
  needs?: readonly string[]
  /** Answers to `workspace/configuration`, by section. */
  settings?: Readonly<Record<string, unknown>>
  initialization?: Readonly<Record<string, unknown>>
  env?: Readonly<Record<string, string>>
}

const scripts = [".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"]
const biomeMarkers = ["biome.json", "biome.jsonc"]
const eslintMarkers = ["js", "mjs", "cjs", "ts", "mts", "cts"].map((ending) => `eslint.config.${ending}`)

const eslintSettings = {
  validate: "on",
  run: "onType",
  workingDirectory: { mode: "location" },
  nodePath: null,
  experimental: {},
  problems: { shortenToSingleLine: false },
  rulesCustomizations: [],
  options: {},
}

/** TypeScript would install types of packages with npm. */
const withoutTypings = { tsserver: { automaticTypeAcquisition: { enabled: false } } }

/**
 * The servers that are used without configuration, where they are installed. Commands, settings and traps were tried
 * with the versions that tests name.
 */
export const serverDefinitions: readonly ServerDefinition[] = [
  {
    id: "typescript",
    extensions: scripts,
    programs: [
      // Written in Go: it loads no plugins, so no code of the project.
      { name: "tsc", args: ["--lsp", "--stdio"], package: "typescript", since: 7 },
      {
        name: "typescript-language-server",
        args: ["--stdio"],
        package: "typescript-language-server",
        runsCode: "it loads the TypeScript and the plugins that the project names",
      },
    ],
    markers: ["tsconfig.json", "jsconfig.json", "package.json"],
    settings: { "js/ts": withoutTypings, typescript: withoutTypings, javascript: withoutTypings },
    initialization: { disableAutomaticTypingAcquisition: true },
  },
  {
    id: "eslint",
    extensions: scripts,
    programs: [
      {
        name: "vscode-eslint-language-server",
        args: ["--stdio"],
        package: "vscode-langservers-extracted",
        runsCode: "its configuration is code of the project",
      },
    ],
    markers: eslintMarkers,
    needsMarker: true,
    settings: { "": eslintSettings, eslint: eslintSettings },
  },
  {
    id: "biome",
    extensions: [...scripts, ".json", ".jsonc", ".css"],
    programs: [
      {
        name: "biome",
        args: ["lsp-proxy"],
        package: "@biomejs/biome",
        runsCode: "its plugins are code of the project",
      },
    ],
    markers: biomeMarkers,
    needsMarker: true,
  },
  {
    id: "pyright",
    extensions: [".py", ".pyi"],
    programs: [{ name: "pyright-langserver", args: ["--stdio"], package: "pyright" }],
    markers: ["pyrightconfig.json", "pyproject.toml", "setup.py", "setup.cfg", "requirements.txt"],
    settings: { python: { analysis: { diagnosticMode: "openFilesOnly" } } },
  },
  {
    id: "ruff",
    extensions: [".py", ".pyi"],
    programs: [{ name: "ruff", args: ["server"] }],
    markers: ["pyproject.toml", "ruff.toml", ".ruff.toml"],
  },
  {
    id: "bash",
    extensions: [".sh", ".bash", ".bats"],
    programs: [{ name: "bash-language-server", args: ["start"], package: "bash-language-server" }],
    markers: [],
    needs: ["shellcheck"],
    settings: { bashIde: { shellcheckPath: "shellcheck", backgroundAnalysisMaxFiles: 0 } },
  },
  {
    id: "json",
    extensions: [".json", ".jsonc"],
    programs: [{ name: "vscode-json-language-server", args: ["--stdio"], package: "vscode-langservers-extracted" }],
    markers: ["package.json"],
    // Without it, a change of the configuration turns its checks off.
    settings: { json: { validate: { enable: true } } },
    initialization: { provideFormatter: false },
  },
  {
    id: "css",
    extensions: [".css", ".scss", ".less"],
    programs: [{ name: "vscode-css-language-server", args: ["--stdio"], package: "vscode-langservers-extracted" }],
    markers: ["package.json"],
    settings: { css: { validate: true }, scss: { validate: true }, less: { validate: true } },
  },
  {
    id: "yaml",
    extensions: [".yaml", ".yml"],
    programs: [{ name: "yaml-language-server", args: ["--stdio"], package: "yaml-language-server" }],
    markers: [],
    settings: { yaml: { validate: true, schemaStore: { enable: false } } },
  },
  {
    id: "gopls",
    extensions: [".go"],
    programs: [{ name: "gopls", args: [] }],
    markers: ["go.work", "go.mod"],
    needs: ["go"],
    env: { GOPROXY: "off", GOTOOLCHAIN: "local", GOFLAGS: "-mod=readonly" },
  },
  {
    id: "clangd",
    extensions: [".c", ".h", ".cc", ".cpp", ".cxx", ".hpp", ".hh"],
    programs: [{ name: "clangd", args: ["--background-index=false"] }],
    markers: ["compile_commands.json", "compile_flags.txt", ".clangd"],
  },
  {
    id: "rust",
    extensions: [".rs"],
    programs: [{ name: "rust-analyzer", args: [], runsCode: "it runs build scripts and macros of the project" }],
    markers: ["Cargo.toml"],
    needsMarker: true,
    settings: { "rust-analyzer": { cargo: { targetDir: "/tmp/rust-analyzer" } } },
    initialization: { cargo: { targetDir: "/tmp/rust-analyzer" } },
  },
]

const languages: Readonly<Record<string, string>> = {
  ".ts": "typescript",
  ".mts": "typescript",
  ".cts": "typescript",
  ".tsx": "typescriptreact",
  ".js": "javascript",
  ".mjs": "javascript",
  ".cjs": "javascript",
  ".jsx": "javascriptreact",
  ".py": "python",
  ".pyi": "python",
  ".sh": "shellscript",
  ".bash": "shellscript",
  ".bats": "shellscript",
  ".yml": "yaml",
  ".rs": "rust",
  ".h": "cpp",
  ".cc": "cpp",
  ".cxx": "cpp",
  ".hpp": "cpp",
  ".hh": "cpp",
}

/** The name of a file's language in the protocol. */
export function languageOf(extension: string): string {
  return languages[extension] ?? extension.slice(1)
}
