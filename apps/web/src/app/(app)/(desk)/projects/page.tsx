import type { Metadata } from "next"
import { ProjectsPage } from "./projects-page.tsx"

export const metadata: Metadata = { title: "Projects" }

export default function Projects() {
  return <ProjectsPage />
}
