import type { LookupFunction } from "node:net"
import { createApplyPatchTool } from "../../acts/tool/apply-patch.ts"
import { type BashDeps, createBashTool } from "../../acts/tool/bash.ts"
import { createBatchTool } from "../../acts/tool/batch.ts"
import { createEditTool } from "../../acts/tool/edit.ts"
import { createFileLocks } from "../../acts/tool/file-locks.ts"
import { createGlobTool } from "../../acts/tool/glob.ts"
import { createGrepTool } from "../../acts/tool/grep.ts"
import { createListTool } from "../../acts/tool/list.ts"
import { createMultieditTool } from "../../acts/tool/multiedit.ts"
import { createQuestionTool } from "../../acts/tool/question.ts"
import { createReadTool } from "../../acts/tool/read.ts"
import { findRipgrep } from "../../acts/tool/ripgrep.ts"
import type { Tool } from "../../acts/tool/tool.ts"
import { createWebfetchTool } from "../../acts/tool/web/webfetch.ts"
import { createWriteTool } from "../../acts/tool/write.ts"
import { createMemoryTool, type MemoryToolDeps } from "./memory.ts"
import { createTodoReadTool, createTodoWriteTool, type ToolTodos } from "./todo.ts"
import { createTodoUpdateTool } from "./todo-update.ts"

export interface BuiltinToolDeps extends BashDeps, MemoryToolDeps {
  todos: ToolTodos
  /** Path of ripgrep; searched for when absent. */
  ripgrep?: string
  /** How webfetch resolves names; the system's way unless given. */
  lookup?: LookupFunction
}

/**
 * The tools that every session has, in the order in which models see them. Tools of skills, plans and delegation depend
 * on the turn and are added to these.
 */
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
    createApplyPatchTool({ withFileLock }),
    createMultieditTool({ withFileLock }),
    createBatchTool(),
    createWebfetchTool(deps),
    createTodoWriteTool(deps),
    createTodoReadTool(deps),
    createTodoUpdateTool(deps),
    createMemoryTool(deps),
    createQuestionTool(),
  ]
}
