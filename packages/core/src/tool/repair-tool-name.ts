/** Names that other agents use for the same tools; models know them from training. */
const aliases: Record<string, string> = {
  cat: "read",
  view: "read",
  readfile: "read",
  createfile: "write",
  writefile: "write",
  editfile: "edit",
  strreplace: "edit",
  multiedit: "edit",
  replace: "edit",
  shell: "bash",
  sh: "bash",
  exec: "bash",
  execute: "bash",
  terminal: "bash",
  runcommand: "bash",
  runshellcommand: "bash",
  find: "glob",
  findfiles: "glob",
  search: "grep",
  ripgrep: "grep",
  searchfiles: "grep",
  ls: "list",
  listdir: "list",
  listfiles: "list",
  listdirectory: "list",
  writetodos: "todowrite",
  updatetodos: "todowrite",
  gettodos: "todoread",
  readtodos: "todoread",
  updatetodo: "todoupdate",
  todoedit: "todoupdate",
  agent: "task",
  subagent: "task",
  delegate: "task",
  ask: "question",
  askuser: "question",
  askuserquestion: "question",
  askquestion: "question",
}

/**
 * The known tool that a model meant: the same letters in another case or with `_`, `-` or a `functions.`
 * prefix (`Todo_Write`), or a usual name of another agent (`shell`). Null when there is none.
 */
export function repairToolName(name: string, known: readonly string[]): string | null {
  if (known.includes(name)) return name
  const plain = simplify(name)
  const same = known.find((id) => simplify(id) === plain)
  if (same !== undefined) return same
  const alias = Object.hasOwn(aliases, plain) ? aliases[plain] : undefined
  return alias !== undefined && known.includes(alias) ? alias : null
}

const nobodyToAsk =
  "Nobody can be asked from here: decide by yourself what you would have asked, and say in your answer what you assumed."

function simplify(name: string): string {
  return name
    .toLowerCase()
    .replace(/^functions?[._:]/, "")
    .replace(/[^a-z0-9]/g, "")
    .replace(/tool$/, "")
}

/** What the model reads after it called a tool that does not exist, or that it is not offered. */
export function unknownToolMessage(name: string, known: readonly string[]): string {
  if (repairToolName(name, ["question"]) !== null) return nobodyToAsk
  const list = known.length > 0 ? `The tools are: ${known.join(", ")}.` : "No tools are available now; answer in text."
  return `There is no tool called ${JSON.stringify(name.slice(0, 100))}. ${list}`
}
