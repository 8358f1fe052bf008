/** Facts about a new project. File and script names in it are untrusted text. */
export interface ProjectFacts {
  /** Relative to the project, with `/`. */
  files: readonly string[]
  /** Names of the scripts in its package.json. */
  scripts: readonly string[]
  /** The newest commit, abbreviated; null without one. */
  commit: string | null
}

/** A suggested prompt; `label` says in a few words what it does. */
export interface PromptSuggestion {
  label: string
  prompt: string
}

/** Number of suggestions. */
const suggestionCount = 3
/** Names that are safe to put into a prompt. */
const plainName = /^[\w@.:/-]{1,80}$/
const sourceFile = /\.(?:[cm]?[jt]sx?|py|go|rs|rb|java|kt|php|cs|swift)$/
const testFile = /(?:^|\/)(?:tests?|__tests__|spec)\/|[._-](?:test|spec)\.|(?:^|\/)test_/

/** Suggestions for this project: one that only reads, then some that depend on its tests, scripts and sources. */
export function suggestPrompts({ files, scripts, commit }: ProjectFacts): PromptSuggestion[] {
  if (files.length === 0) return [emptyProject]
  const plain = files.filter((file) => plainName.test(file))
  const tests = plain.filter((file) => testFile.test(file) && sourceFile.test(file))
  return [
    explain,
    testRun(scripts, tests, plain),
    untested(plain, tests),
    script(scripts),
    readme(plain),
    commit !== null && plainName.test(commit) ? lastCommit(commit) : null,
    unfinished,
  ]
    .filter((suggestion) => suggestion !== null)
    .slice(0, suggestionCount)
}

const emptyProject: PromptSuggestion = {
  label: "Begin something small",
  prompt:
    "This directory is empty. Ask me what I want to build, then make the smallest version that runs, with one test.",
}

const explain: PromptSuggestion = {
  label: "Explain this project",
  prompt:
    "Explain this project to someone who is new to it: what it does, where its code begins, and which files matter most. Change nothing.",
}

const unfinished: PromptSuggestion = {
  label: "Find what is unfinished",
  prompt:
    "Find what is unfinished here: TODO comments, dead code, functions that nobody calls. List it. Change nothing.",
}

/** Files that show how to run tests when no script does. */
const runners: [file: string, command: string][] = [
  ["Cargo.toml", "cargo test"],
  ["go.mod", "go test ./..."],
  ["pytest.ini", "pytest"],
  ["pyproject.toml", "pytest"],
]

function testRun(scripts: readonly string[], tests: readonly string[], files: readonly string[]) {
  const named = scripts.includes("test") ? "npm test" : runners.find(([file]) => files.includes(file))?.[1]
  if (named === undefined && tests.length === 0) return null
  const how = named === undefined ? `the tests, such as ${tests[0]}` : `the tests with \`${named}\``
  return {
    label: named === undefined ? "Run the tests" : `Run ${named}`,
    prompt: `Run ${how}. If something fails, find the cause and mend it; say what it was.`,
  }
}

/** The first source file without a test of the same name. */
function untested(files: readonly string[], tests: readonly string[]): PromptSuggestion | null {
  const stem = (file: string) => (file.split("/").at(-1) ?? file).replace(/\..*$/, "")
  const tested = new Set(tests.map((file) => stem(file).replace(/^test_|_test$/g, "")))
  const candidates = files.filter((file) => sourceFile.test(file) && !testFile.test(file) && file.includes("/"))
  const found = candidates
    .filter((file) => !tested.has(stem(file)) && !/^(?:index|main|mod|__init__)$/.test(stem(file)))
    .sort((a, b) => (a < b ? -1 : 1))[0]
  if (found === undefined) return null
  return {
    label: `Test ${found}`,
    prompt: `Write tests for ${found}, in the way the tests of this project are written, and run them.`,
  }
}

function script(scripts: readonly string[]): PromptSuggestion | null {
  const found = ["lint", "typecheck", "check", "build"].find((name) => scripts.includes(name))
  if (found === undefined) return null
  return { label: `Run ${found} and mend it`, prompt: `Run \`npm run ${found}\` and mend what it reports.` }
}

function readme(files: readonly string[]): PromptSuggestion | null {
  const found = files.find((file) => /^readme(?:\.\w+)?$/i.test(file))
  if (found === undefined) return null
  return {
    label: `Check ${found}`,
    prompt: `Read ${found} and compare it with the code: try the commands that it names, and list what is not true any more.`,
  }
}

function lastCommit(commit: string): PromptSuggestion {
  return {
    label: `Review the last commit, ${commit}`,
    prompt: `Review commit ${commit}: what it changes, and what it could break. Change nothing.`,
  }
}
