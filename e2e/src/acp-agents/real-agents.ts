import type { Answer } from "../fixtures/scripted-model.ts"

/** An agent of other people, as it is published, with what a model of its provider says to it. */
export interface RealAgent {
  name: string
  package: string
  /** Its file below `node_modules`. */
  program: string
  args: string[]
  env(provider: string, home: string): Record<string, string>
  /** Settings in its home. */
  files(provider: string): Record<string, string>
  /** How it goes on after the service was killed. */
  goesOn: RegExp
  /** Says what its work costs. */
  tellsCost: boolean
  /** The states of the plan that it tells of its work. */
  plan: readonly string[]
  /** A plan, a file made by a command, a file changed by its own tool, and an answer. */
  work(directory: string): Answer[]
  /** A command that runs until it is ended. */
  wait: Answer
}

const steps = [
  { name: "first", status: "in_progress" },
  { name: "second", status: "pending" },
]
const make = "printf hello > made.txt"
/** Each of the three asks for it, and none knows a better way. */
const forEver = "perl -e 'sleep 86400'"
const call = (tool: string, args: Record<string, unknown>): Answer => ({ calls: [{ tool, args }] })
const done: Answer = { text: "All is done." }

export const claude: RealAgent = {
  name: "claude",
  package: "@agentclientprotocol/claude-agent-acp@0.101.0",
  program: "@agentclientprotocol/claude-agent-acp/dist/index.js",
  args: [],
  env: (provider) => ({
    ANTHROPIC_API_KEY: "key",
    ANTHROPIC_BASE_URL: provider,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  }),
  files: () => ({}),
  goesOn: /^resumed$/,
  tellsCost: true,
  plan: ["in_progress", "pending"],
  work: (directory) => [
    call("TodoWrite", {
      todos: steps.map(({ name, status }) => ({ content: name, status, activeForm: `doing ${name}` })),
    }),
    call("Bash", { command: make, description: "Make a file" }),
    call("Read", { file_path: `${directory}/README.md` }),
    call("Edit", { file_path: `${directory}/README.md`, old_string: "# Greeter", new_string: "# Loud greeter" }),
    done,
  ],
  wait: call("Bash", { command: forEver, description: "Wait" }),
}

const change = ["*** Begin Patch", "*** Update File: README.md", "@@", "-# Greeter", "+# Loud greeter", "*** End Patch"]

const codex: RealAgent = {
  name: "codex",
  package: "@zed-industries/codex-acp@0.16.0",
  program: "@zed-industries/codex-acp/bin/codex-acp.js",
  args: [],
  env: (_, home) => ({ OPENAI_API_KEY: "key", CODEX_HOME: `${home}/codex` }),
  files: (provider) => ({
    "codex/config.toml": `
model = "gpt-5-scripted"
model_provider = "scripted"
approval_policy = "untrusted"
sandbox_mode = "danger-full-access"
[model_providers.scripted]
name = "Scripted"
base_url = "${provider}/v1"
wire_api = "responses"
env_key = "OPENAI_API_KEY"
`,
  }),
  goesOn: /^resumed$/,
  tellsCost: false,
  plan: ["in_progress", "pending"],
  work: () => [
    call("update_plan", { plan: steps.map(({ name, status }) => ({ step: name, status })) }),
    call("exec_command", { cmd: make }),
    call("exec_command", { cmd: `apply_patch <<'EOF'\n${change.join("\n")}\nEOF` }),
    done,
  ],
  wait: call("exec_command", { cmd: forEver }),
}

const gemini: RealAgent = {
  name: "gemini",
  package: "@google/gemini-cli@0.61.0",
  program: ".bin/gemini",
  // A named model: without one, another model is asked first.
  args: ["--acp", "--model", "gemini-2.5-pro"],
  env: (provider) => ({ GEMINI_API_KEY: "key", GOOGLE_GEMINI_BASE_URL: provider }),
  files: () => ({}),
  // It keeps a conversation only at times.
  goesOn: /^(?:resumed|told)$/,
  tellsCost: false,
  plan: [],
  work: (directory) => [
    call("run_shell_command", { command: make, description: "Make a file" }),
    call("read_file", { file_path: "README.md" }),
    call("replace", {
      ...{ file_path: `${directory}/README.md`, instruction: "Say it louder" },
      ...{ old_string: "# Greeter", new_string: "# Loud greeter" },
    }),
    done,
  ],
  wait: call("run_shell_command", { command: forEver, description: "Wait" }),
}

export const realAgents: readonly RealAgent[] = [claude, codex, gemini]
