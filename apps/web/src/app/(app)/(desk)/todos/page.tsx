import type { Metadata } from "next"
import { TodosPage } from "./todos-page.tsx"

export const metadata: Metadata = { title: "Todos" }

export default function Todos() {
  return <TodosPage />
}
