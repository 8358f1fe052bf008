import { createPause } from "../fixtures/pause.ts"
import type { Answer, Script } from "../fixtures/scripted-model.ts"
import type { Random } from "./random.ts"

/** The required keys of the user's docket.json: eight parallel children, limits for hours, and commands that ask. */
export const longWorkConfig = {
  model: "scripted/priced",
  permission: { bash: { "*": "allow", "git tag *": "ask" } },
  delegation: { concurrency: 8, timeout: 86_400_000, tool_calls: 100_000, envelope: false },
  agent: { general: { permission: { question: "allow" } } },
}

/** The children, by their topics. */
const names = ["Roads", "Rivers", "Bridges", "Harbours", "Canals", "Tunnels", "Stations", "Ferries"] as const

/** The prompt that starts the work. */
export const firstPrompt = "Survey the whole country"

/** The text that resumes an ended child. */
export const goOn = (description: string) => `Go on. Your part is ${description}.`

export interface LongWork {
  script: Script
  /** A user's prompt in between, with its scripted answers. */
  note(): { prompt: string; script: Script }
  /** From now on, children end with their next answer. */
  end(): void
}

type Call = NonNullable<Answer["calls"]>[number]

const call = (tool: string, args: Record<string, unknown>): Call => ({ tool, args })
const bash = (command: string, description: string) => call("bash", { command, description })
const lines = (count: number, word: string) =>
  Array.from({ length: count }, (_, at) => `${word} ${at + 1} is as long as it was said to be.`).join("\n\n")

/** Endless work for eight children; each answer takes 4 to 11 s. */
export function createLongWork(random: Random): LongWork {
  let ended = false
  let notes = 0
  const think = () => createPause(random.between(4_000, 11_000))
  const childAnswer = (name: string) => {
    let step = 0
    return (): Answer => {
      step += 1
      if (ended) return { text: `${name} are surveyed.` }
      return { gate: think(), ...random.one(steps)(name, step) }
    }
  }
  // Part of “Your part is …”, which the first prompt of a child and `goOn` say.
  const children = names.map((name) => [`our part is ${name}.`, childAnswer(name)] as const)
  return {
    script: {
      ...Object.fromEntries(children),
      "Take the outcome into account": () => ({ text: "I have read what came of it." }),
      [firstPrompt]: [
        { text: `${lines(25, "Mile")}\n\nNow the survey itself.`, calls: [todos(0)] },
        { calls: names.map((name) => launch(name)) },
        { text: `${lines(12, "Yard")}\n\nEight surveys are on their way.` },
      ],
    },
    note() {
      notes += 1
      const prompt = `Note ${notes}: say how it goes`
      return { prompt, script: { [`Note ${notes}:`]: noteAnswers(notes, random) } }
    },
    end() {
      ended = true
    },
  }
}

const launch = (name: string) =>
  call("async_task", { agent: "general", description: name, prompt: `Survey the land. Your part is ${name}.` })

/** A todo list in which each note completes one more item. */
function todos(done: number): Call {
  const items = ["Find the maps", "Measure", "Draw", "Compare", "Ask around", "Write it down"]
  const status = (at: number) => (at < done % 7 ? "completed" : at === done % 7 ? "in_progress" : "pending")
  return call("todowrite", {
    todos: items.map((content, at) => ({ content, status: status(at), priority: "medium" })),
  })
}

function noteAnswers(number: number, random: Random): Answer[] {
  const pause = () => createPause(random.between(500, 3_000))
  return [
    {
      reasoning: "Something was asked in between.",
      text: lines(4, `Answer ${number}, line`),
      calls: [todos(number), bash(`echo ${number} && ls -la`, "Look around")],
      gate: pause(),
    },
    {
      text: "The notes grow.",
      calls: [call("write", { filePath: `notes/${number}.md`, content: `# Note ${number}\n\nAll is well.\n` })],
      gate: pause(),
    },
    { text: `${lines(10, `Answer ${number}, mile`)}\n\nThat is answer ${number}.`, gate: pause() },
  ]
}

type Step = (name: string, step: number) => Answer

const read: Step = (_, step) => ({
  calls: ["README.md", "src/main.js", "src/names.js"]
    .slice(0, (step % 3) + 1)
    .map((it) => call("read", { filePath: it })),
})
const search: Step = (_, step) => ({ calls: [call("grep", { pattern: `greet.{${step % 9}}` })] })
const say: Step = (name, step) => ({
  reasoning: `${name} need another look.`,
  text: lines(6, `${name}, mile ${step},`),
  calls: [bash(`echo ${step}; date`, "Look at the clock")],
})
const output: Step = (_, step) => ({ calls: [bash(`seq ${step} ${step + 120}`, "Count a little")] })
const longOutput: Step = (_, step) => ({
  calls: [
    bash(`for n in $(seq 1 3000); do printf '\\033[3%dm%s of ${step}\\033[0m\\n' $((n % 8)) $n; done`, "Count far"),
  ],
})
const fail: Step = (_, step) => ({ calls: [bash(`echo no ${step} >&2; exit 3`, "Fail")] })
const write: Step = (name, step) => ({
  calls: [
    call("write", {
      filePath: `survey/${name}-${step}.md`,
      content: `# ${name}\n\n${lines((step % 5) + 1, "Mile")}\n`,
    }),
  ],
})
const tag: Step = (name, step) => ({ calls: [bash(`git tag ${name}-${step}`, "Tag the state")] })
const ask: Step = (name, step) => ({
  calls: [
    call("question", {
      questions: [
        {
          header: "Way",
          question: `Which way shall I take for ${name}, mile ${step}?`,
          options: [
            { label: "Left", description: "By the river" },
            { label: "Right", description: "Through the wood" },
          ],
        },
      ],
    }),
  ],
})
const cut: Step = (name) => ({ text: lines(20, `${name}, cut mile`), cut: true })
const busy: Step = () => ({ failure: { status: 429, message: "Too many requests.", retryAfter: 4 } })
const down: Step = () => ({ failure: { status: 503, message: "The provider is overloaded." } })
const giveUp: Step = () => ({ failure: { status: 400, message: "The request is too long for this model." } })

/** What a child does next; repeated entries are more frequent. */
const steps: readonly [Step, ...Step[]] = [
  read,
  ...[read, read, search, search, say, say, say, say, output, output, output, write, write, write],
  ...[read, read, read, search, search, say, say, say, say, output, output, output, write, write, write],
  ...[fail, fail, fail, tag, tag, ask, cut, cut, busy, busy, down, longOutput, giveUp],
]
