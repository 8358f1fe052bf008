import { writVerbs } from "../../ground/writ/writ-verbs.ts"
import type { CommandConfig } from "../../setup/config/schema.ts"

const init = `Write the file AGENTS.md at the top of this project, or improve the one that is there. It is read at the beginning of every session by agents that know nothing of the project.

Look around first: the README, the manifest of each package, the build and test configuration, what continuous integration runs, the layout of the source, and instructions that exist for other agents (CLAUDE.md, .cursorrules, .github/copilot-instructions.md).

Then say, in at most about 150 lines:
- the commands to build, check and test, and how to run a single test;
- what lies where, and in which direction parts depend on each other;
- the conventions that the code really follows and a newcomer would break;
- what surprises: generated files, steps that must come first, things that look wrong and are not.

Leave out what every developer knows and what one look at the code shows. Run a command before you write it down where that is safe. Keep what is true in a file that exists, and change only what is wrong, missing or superfluous.

$ARGUMENTS`

const review = `Review changes of this project. Change nothing.

What to review: $ARGUMENTS

If nothing is named here, review what is not committed: staged, unstaged and new files. A name of a commit or a range means these commits, a name of a branch means what differs between it and the current one since they parted, and a number or an address of a pull request means its changes.

Read the whole files around the changes, not the diff alone, and find out what calls what was changed. Look for, in this order: wrong behaviour and lost data; holes in security; errors that are not handled; races; tests that are missing or prove nothing; what no longer fits its surroundings. Before you report something, make sure that it happens: name the input or the order of events that leads to it.

Report each finding with file and line, what goes wrong and when, and how to mend it; the gravest first. Say so plainly when there is nothing to find, and what you could not judge. No praise, no remarks on taste.`

/** Commands that come with Docket and are prompts: the user's own configuration may replace them. */
export const builtinPrompts: Readonly<Record<string, CommandConfig>> = {
  init: {
    description: "Write AGENTS.md for this project, or improve it",
    argument_hint: "[what matters]",
    template: init,
  },
  review: {
    description: "Review changes: uncommitted ones, a commit, a branch or a pull request",
    argument_hint: "[commit, branch or pull request]",
    template: review,
  },
}

/** Commands that act on Docket but are turns of a session all the same. */
export const builtinActs: Readonly<Record<string, CommandConfig>> = {
  plan: {
    description: "Plan something: no file but the plan changes",
    argument_hint: "<what to plan>",
    template: "$ARGUMENTS",
    agent: "plan",
  },
  compact: { description: "Summarise the conversation to make room", template: "/compact" },
}

/** What front ends do themselves under these names. */
const actsOfPages = [
  "agents",
  "archive",
  "help",
  "import",
  "new",
  "project",
  "redo",
  "rename",
  "settings",
  "share",
  "stop",
  "tasks",
  "undo",
  "unshare",
]

/** Names that no configuration can take: what they do must be what they say. */
export const reservedNames: ReadonlySet<string> = new Set([...actsOfPages, ...Object.keys(builtinActs), ...writVerbs])
