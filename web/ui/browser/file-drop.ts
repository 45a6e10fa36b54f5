/** Files that are dragged over a page: the browser would leave the application and open them. */
import { useEffect, useEffectEvent, useState, type DragEvent as ReactDragEvent } from 'react'

/** Marks an element that takes dropped files itself. */
const dropZone = { 'data-drop-zone': '' }

function hasFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes('Files') ?? false
}

/** Prevents the browser from opening a file that is dropped where nothing takes it. */
export function keepDroppedFilesOut(): void {
  const keepOut = (event: DragEvent) => {
    if (!hasFiles(event) || event.defaultPrevented) return
    event.preventDefault()
    event.dataTransfer!.dropEffect = 'none'
  }
  window.addEventListener('dragover', keepOut)
  window.addEventListener('drop', keepOut)
}

/** False over a drop zone, which takes files itself, and while a dialog without a drop zone is open. */
function isForThePage(target: EventTarget | null): boolean {
  if (target instanceof Element && target.closest('[data-drop-zone]')) return false
  const dialogs = [...document.querySelectorAll('[role="dialog"][aria-modal="true"]')]
  return dialogs.every((dialog) => dialog.querySelector('[data-drop-zone]') !== null)
}

/** Takes files that are dropped anywhere on the page; true while they are dragged over it. */
export function useDroppedFiles(onFiles: (files: File[]) => void): boolean {
  const [isOver, setOver] = useState(false)
  const take = useEffectEvent(onFiles)
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return
      const isOurs = isForThePage(event.target)
      setOver(isOurs)
      if (!isOurs) return
      event.preventDefault()
      event.dataTransfer!.dropEffect = 'copy'
    }
    const leave = (event: DragEvent) => {
      // Without a related element the pointer has left the window.
      if (event.relatedTarget === null) setOver(false)
    }
    const drop = (event: DragEvent) => {
      setOver(false)
      if (!hasFiles(event) || !isForThePage(event.target)) return
      event.preventDefault()
      take([...event.dataTransfer!.files])
    }
    const handlers = { dragover: over, dragleave: leave, drop }
    for (const [name, handler] of Object.entries(handlers)) {
      window.addEventListener(name as keyof typeof handlers, handler)
    }
    return () => {
      for (const [name, handler] of Object.entries(handlers)) {
        window.removeEventListener(name as keyof typeof handlers, handler)
      }
    }
  }, [])
  return isOver
}

/** The properties of an element that takes dropped files; `isOver` while files are dragged over it. */
export function useFileDrop(onFiles: (files: FileList) => void) {
  const [isOver, setOver] = useState(false)
  const zone = {
    ...dropZone,
    onDragOver(event: ReactDragEvent) {
      event.preventDefault() // otherwise the browser would open the file
      setOver(true)
    },
    onDragLeave: () => setOver(false),
    onDrop(event: ReactDragEvent) {
      event.preventDefault()
      setOver(false)
      onFiles(event.dataTransfer.files)
    },
  }
  return { isOver, zone }
}
