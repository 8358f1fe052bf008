export { listAt } from "../message/list-at.ts"
export { isClosed } from "./is-closed.ts"
export { openTodoList } from "./open-todo-list.ts"
export { workSpans } from "./work-spans.ts"
