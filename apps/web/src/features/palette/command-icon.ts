import {
  Archive,
  ClipboardCheck,
  CornerLeftUp,
  FileUp,
  FolderOpen,
  GitBranch,
  Keyboard,
  Link2Off,
  type LucideIcon,
  MoveRight,
  Pencil,
  Plus,
  Redo2,
  Settings,
  Share2,
  Square,
  Terminal,
  Trash2,
  Undo2,
} from "lucide-react"

const icons: Record<string, LucideIcon> = {
  archive: Archive,
  background: MoveRight,
  child: GitBranch,
  delete: Trash2,
  help: Keyboard,
  import: FileUp,
  new: Plus,
  "open-project": FolderOpen,
  parent: CornerLeftUp,
  redo: Redo2,
  rename: Pencil,
  review: ClipboardCheck,
  settings: Settings,
  share: Share2,
  stop: Square,
  unshare: Link2Off,
  undo: Undo2,
}

/** The icon of a command, by the kind at the beginning of its id. */
export function commandIcon(id: string): LucideIcon {
  return icons[id.split(":")[0] ?? ""] ?? Terminal
}
