import { type BashDeps, createBashTool } from "../tool/bash.ts"
import { createEditTool } from "../tool/edit.ts"
import { createFileLocks } from "../tool/file-locks.ts"
import { createGlobTool } from "../tool/glob.ts"
import { createGrepTool } from "../tool/grep.ts"
import { createListTool } from "../tool/list.ts"
import { createMemoryTool, type MemoryToolDeps } from "./memory.ts"
import { createQuestionTool } from "../tool/question.ts"
import { createReadTool } from "../tool/read.ts"
import { findRipgrep } from "../tool/ripgrep.ts"
import { createTodoReadTool, createTodoWriteTool, type ToolTodos } from "./todo.ts"
import { createTodoUpdateTool } from "./todo-update.ts"
import type { Tool } from "../tool/tool.ts"
import { createWriteTool } from "../tool/write.ts"

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
