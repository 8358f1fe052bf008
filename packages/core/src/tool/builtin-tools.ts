import { type BashDeps, createBashTool } from "./bash.ts"
import { createEditTool } from "./edit.ts"
import { createFileLocks } from "./file-locks.ts"
import { createGlobTool } from "./glob.ts"
import { createGrepTool } from "./grep.ts"
import { createListTool } from "./list.ts"
import { createMemoryTool, type MemoryToolDeps } from "./memory.ts"
import { createQuestionTool } from "./question.ts"
import { createReadTool } from "./read.ts"
import { findRipgrep } from "./ripgrep.ts"
import { createTodoReadTool, createTodoWriteTool, type ToolTodos } from "./todo.ts"
import { createTodoUpdateTool } from "./todo-update.ts"
import type { Tool } from "./tool.ts"
import { createWriteTool } from "./write.ts"

export interface BuiltinToolDeps extends BashDeps, MemoryToolDeps {
  todos: ToolTodos
  /** Path of ripgrep; found by itself when left out. */
  ripgrep?: string
}

/** Every tool that ships with Docket, `task` excepted, in the order in which models are told about them. */
export function createBuiltinTools(deps: BuiltinToolDeps): Tool[] {
  const withFileLock = createFileLocks()
  const ripgrep = deps.ripgrep ?? findRipgrep()
  return [
    createBashTool(deps),
    createReadTool(),
    createGlobTool({ ripgrep }),
    createGrepTool({ ripgrep }),
    createListTool(),
    createEditTool({ withFileLock }),
    createWriteTool({ withFileLock }),
    createTodoWriteTool(deps),
    createTodoReadTool(deps),
    createTodoUpdateTool(deps),
    createMemoryTool(deps),
    createQuestionTool(),
  ]
}
