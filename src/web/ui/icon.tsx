/** Icons of the Lucide set: 16 px, 1.5 px stroke, always beside a label or under a tooltip. */
import split from 'lucide:split'
import smile from 'lucide:smile'
import fileInput from 'lucide:file-input'
import folderPlus from 'lucide:folder-plus'
import filePlus from 'lucide:file-plus'
import tag from 'lucide:tag'
import rotateCcw from 'lucide:rotate-ccw'
import braces from 'lucide:braces'
import fileStack from 'lucide:blocks'
import archive from 'lucide:archive'
import arrowLeft from 'lucide:arrow-left'
import arrowDown from 'lucide:arrow-down'
import arrowUp from 'lucide:arrow-up'
import caseSensitive from 'lucide:case-sensitive'
import hash from 'lucide:hash'
import alignCenter from 'lucide:align-center'
import alignLeft from 'lucide:align-left'
import alignRight from 'lucide:align-right'
import arrowRight from 'lucide:arrow-right'
import atSign from 'lucide:at-sign'
import book from 'lucide:book-open'
import check from 'lucide:check'
import chevronDown from 'lucide:chevron-down'
import chevronRight from 'lucide:chevron-right'
import chevronsUpDown from 'lucide:chevrons-up-down'
import circleAlert from 'lucide:circle-alert'
import circleCheck from 'lucide:circle-check'
import cloudOff from 'lucide:cloud-off'
import cloudUpload from 'lucide:cloud-upload'
import code from 'lucide:code'
import columns from 'lucide:columns-2'
import copy from 'lucide:copy'
import download from 'lucide:download'
import ellipsis from 'lucide:ellipsis'
import externalLink from 'lucide:external-link'
import eye from 'lucide:eye'
import eyeOff from 'lucide:eye-off'
import file from 'lucide:file'
import fileText from 'lucide:file-text'
import filter from 'lucide:filter'
import folder from 'lucide:folder'
import gitMerge from 'lucide:git-merge'
import gitPullRequest from 'lucide:git-pull-request'
import gitPullRequestDraft from 'lucide:git-pull-request-draft'
import globe from 'lucide:globe'
import gripVertical from 'lucide:grip-vertical'
import history from 'lucide:history'
import house from 'lucide:house'
import image from 'lucide:image'
import inbox from 'lucide:inbox'
import keyboard from 'lucide:keyboard'
import library from 'lucide:library'
import link from 'lucide:link'
import loader from 'lucide:loader-circle'
import lock from 'lucide:lock'
import logOut from 'lucide:log-out'
import menu from 'lucide:menu'
import message from 'lucide:message-square'
import moon from 'lucide:moon'
import panelLeft from 'lucide:panel-left'
import panelRight from 'lucide:panel-right'
import pencil from 'lucide:pencil'
import plus from 'lucide:plus'
import refreshIcon from 'lucide:refresh-cw'
import search from 'lucide:search'
import settings from 'lucide:settings'
import sun from 'lucide:sun'
import trash from 'lucide:trash-2'
import triangleAlert from 'lucide:triangle-alert'
import upload from 'lucide:upload'
import user from 'lucide:user'
import users from 'lucide:users'
import x from 'lucide:x'
import './icon.css'

const icons = {
  split,
  smile,
  fileInput,
  folderPlus,
  filePlus,
  tag,
  rotateCcw,
  braces,
  fileStack,
  archive,
  arrowLeft,
  arrowDown,
  arrowUp,
  caseSensitive,
  hash,
  alignCenter,
  alignLeft,
  alignRight,
  arrowRight,
  atSign,
  book,
  check,
  chevronDown,
  chevronRight,
  chevronsUpDown,
  circleAlert,
  circleCheck,
  cloudOff,
  cloudUpload,
  code,
  columns,
  copy,
  download,
  ellipsis,
  externalLink,
  eye,
  eyeOff,
  file,
  fileText,
  filter,
  folder,
  gitMerge,
  gitPullRequest,
  gitPullRequestDraft,
  globe,
  gripVertical,
  history,
  house,
  image,
  inbox,
  keyboard,
  library,
  link,
  loader,
  lock,
  logOut,
  menu,
  message,
  moon,
  panelLeft,
  panelRight,
  pencil,
  plus,
  refresh: refreshIcon,
  search,
  settings,
  sun,
  trash,
  triangleAlert,
  upload,
  user,
  users,
  x,
} as const

export type IconName = keyof typeof icons
export const iconNames = Object.keys(icons) as IconName[]

export function Icon({ name, className = '' }: { readonly name: IconName; readonly className?: string }) {
  return (
    <svg
      className={`icon ${className}`}
      viewBox="0 0 24 24"
      aria-hidden="true"
      // The markup is that of the set, read at build time.
      dangerouslySetInnerHTML={{ __html: icons[name] }}
    />
  )
}
