import { save } from '../common/save.ts'
import type { Point } from './metrics.ts'

/** Saves the figures of an insight as CSV: a line for each point, numbers and dates only. */
export function downloadCsv(name: string, columns: string[], series: Point[]): void {
  const lines = [columns, ...series.map((point) => columns.map((column) => toCell(point[column])))]
  const text = lines.map((line) => `${line.join(',')}\r\n`).join('')
  save(`${name}.csv`, new Blob([text], { type: 'text/csv' }))
}

function toCell(value: unknown): string {
  return typeof value === 'number' || typeof value === 'string' ? String(value) : ''
}

/** Saves the chart in `element` as a picture, in the colours in which it is shown. */
export async function downloadPng(name: string, element: HTMLElement): Promise<void> {
  const svg = element.querySelector('svg')
  if (svg === null) return
  const { width, height } = svg.getBoundingClientRect()
  const copy = svg.cloneNode(true) as SVGSVGElement
  copyColours(svg, copy)
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
  const image = new Image(width, height)
  image.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`
  await image.decode()
  const canvas = Object.assign(document.createElement('canvas'), { width: width * 2, height: height * 2 })
  const pen = canvas.getContext('2d')
  if (pen === null) return
  pen.scale(2, 2)
  pen.fillStyle = getComputedStyle(document.body).backgroundColor
  pen.fillRect(0, 0, width, height)
  pen.drawImage(image, 0, 0, width, height)
  canvas.toBlob((blob) => blob && save(`${name}.png`, blob))
}

/** Colours come from variables of the page, which a picture does not have. */
function copyColours(from: Element, to: Element): void {
  const { stroke, fill, fontSize, fontFamily } = getComputedStyle(from)
  Object.assign((to as SVGElement).style, { stroke, fill, fontSize, fontFamily })
  for (const [index, child] of [...from.children].entries()) {
    const twin = to.children[index]
    if (twin !== undefined) copyColours(child, twin)
  }
}
