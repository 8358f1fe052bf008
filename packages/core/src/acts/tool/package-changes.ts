import type { CommandChanges } from "./command-changes.ts"
import type { ShellWord } from "./shell-command.ts"

const nodeInstall = words(
  "add ci clean-install dedupe i in install it link prune rebuild remove rm un uninstall unlink up update upgrade",
)
const nodeRead = words(
  "audit bin config explain help info list ll la ls outdated ping root search version view whoami why",
)
const asInstall = "downloads packages, writes node_modules and the lock file, and may run scripts of packages"
const asRun = "downloads a program if it is not there, and runs it"

interface PackageTool {
  install: ReadonlySet<string>
  /** What installing does. */
  does: string
  read?: ReadonlySet<string>
  /** Without a word it installs. */
  bare?: boolean
}

const node: PackageTool = { install: nodeInstall, does: asInstall, read: nodeRead }
const system: PackageTool = {
  install: words("install remove purge upgrade dist-upgrade full-upgrade autoremove update reinstall"),
  does: "downloads packages and changes the programs of this machine",
  read: words("search show list policy info"),
}
const python: PackageTool = {
  install: words("install uninstall download sync add remove"),
  does: "downloads packages, changes the Python environment, and may run scripts of packages",
  read: words("list show freeze check"),
}

/** Package tools. Source: their manuals. */
const tools: Readonly<Record<string, PackageTool>> = {
  apk: { ...system, install: words("add del upgrade update") },
  apt: system,
  "apt-get": system,
  brew: system,
  bun: { ...node, install: words("add i install remove rm update link") },
  cargo: { install: words("add install remove uninstall update fetch"), does: "downloads packages and may build them" },
  dnf: system,
  gem: {
    install: words("install uninstall update"),
    does: "downloads packages and changes those of Ruby",
    read: words("list search"),
  },
  go: {
    install: words("get install"),
    does: "downloads modules and may change go.mod and go.sum",
    read: words("env list version doc"),
  },
  npm: node,
  pip: python,
  pip3: python,
  pnpm: node,
  poetry: python,
  uv: python,
  yarn: { ...node, bare: true },
  yum: system,
}
const oneShot = words("dlx exec x create init")

/** What a package tool changes; null for a command that is none, or that runs what the project brings. */
export function packageChanges(name: string, args: readonly ShellWord[]): CommandChanges | null {
  if (name === "npx" || name === "bunx" || name === "pnpx" || name === "uvx")
    return { notes: [`${name}: ${asRun}`], unknown: true }
  const tool = Object.hasOwn(tools, name) ? tools[name] : undefined
  if (tool === undefined) return null
  const asked = args.filter(({ value }) => !value.startsWith("-"))
  const [first] = asked[0]?.value === "pip" ? asked.slice(1) : asked
  if (first === undefined) {
    if (tool.bare && !args.some(({ value }) => /^--?(?:v|version|h|help)$/.test(value)))
      return { notes: [`${name}: ${tool.does}`] }
    return {}
  }
  // The value of an option before the sub-command would be taken for it.
  if (!first.literal || /^--?[\w-]+$/.test(args[0]?.value ?? "")) return { unknown: true }
  const isChange = args.some(({ value }) => /^(?:fix|--fix|set|delete|-[uw]|-toolexec.*)$/.test(value))
  if (isChange || (first.value === "version" && args.length > 1)) return { unknown: true }
  if (tool.install.has(first.value)) return { notes: [`${name} ${first.value}: ${tool.does}`] }
  if (tool.read?.has(first.value)) return {}
  return oneShot.has(first.value) ? { notes: [`${name} ${first.value}: ${asRun}`], unknown: true } : { unknown: true }
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(" "))
}
