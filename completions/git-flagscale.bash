# SPDX-License-Identifier: Apache-2.0
#
# Completion of `git flagscale` in bash. git's own completion loads this file when it meets the
# command, and calls _git_flagscale; bash-completion loads it for `git-flagscale`. What may stand
# where is known to the program alone (`git flagscale __complete`).

# shellcheck shell=bash disable=SC2154 # cur, cword and words are set by git's completion

# What the alias $1 says after `flagscale`, into the array `given`. Aliases may stand for aliases.
__git_flagscale_alias ()
{
  local name=$1 next='' seen='' text word
  local -a parts=() rest=()

  while [[ $name != flagscale ]]; do
    [[ $seen != *" $name "* ]] || return
    seen+=" $name "
    text=$(__git config --get "alias.$name") || return
    read -r -a parts <<<"${text//$'\n'/ }"
    next=''
    rest=()
    for word in ${parts[@]+"${parts[@]}"}; do
      if [[ -z $next ]]; then
        case $word in
        '!'*|-*|*=*|git|'()'|'{'|':'|"'"*) ;; # as git's completion reads it
        *) next=$word ;;
        esac
      elif [[ $word == *[!A-Za-z0-9_./=:@^~+,-]* ]]; then
        break # shell text
      else
        rest+=("$word")
      fi
    done
    given=(${rest[@]+"${rest[@]}"} ${given[@]+"${given[@]}"})
    name=$next
  done
}

# Files (-f) or folders (-d) as seen from a folder.
__git_flagscale_files ()
{
  local action=$1 folder=$2 folders name
  local dequoted_word=''

  __git_dequote "$value"
  while IFS= read -r name; do
    COMPREPLY+=("$name")
  done < <(
    builtin cd -- "$folder" || exit
    folders=$'\n'$(compgen -d -- "$dequoted_word")$'\n'
    compgen "$action" -- "$dequoted_word" | while IFS= read -r name; do
      [[ $folders != *$'\n'"$name"$'\n'* ]] || name+=/
      printf '%s\n' "$name"
    done
  )
  compopt -o filenames
  [[ ${COMPREPLY[0]-} == */ ]] || compopt +o nospace
}

_git_flagscale ()
{
  local at=${__git_cmd_idx-1} dequoted_word='' heading='' line names='' value word
  local -a given=()
  # The shell has not expanded what is still being typed.
  local -a folders=(${__git_C_args[@]+"${__git_C_args[@]/#'~/'/"$HOME/"}"})
  local -a __git_C_args=(${folders[@]+"${folders[@]}"})

  # Where nothing is offered, nothing is: file names only where a file is meant.
  compopt +o default +o bashdefault

  # For an alias, git's completion has put the name of the command into words[1].
  case $at in
  0) ;;
  1) __git_flagscale_alias "${COMP_WORDS[1]}" ;;
  *) __git_flagscale_alias "${words[at]}" ;;
  esac
  local index=$((${#given[@]} + cword - at - 1))
  # Before another word, bash and bash-completion differ in what is at the cursor.
  local -a after=("${words[@]:cword+1}")
  if [[ $cur != *[!' ']* ]]; then
    cur=''
    [[ -z ${words[cword]-} ]] || after=("${words[@]:cword}")
  fi
  for word in "${words[@]:at+1:cword-at-1}" "$cur" ${after[@]+"${after[@]}"}; do
    __git_dequote "$word"
    given+=("$dequoted_word")
  done

  value=$cur
  [[ $cur != --*=* ]] || value=${cur#*=}

  while IFS= read -r line; do
    if [[ -z $heading ]]; then
      heading=$line
    else
      names+=${line%%$'\t'*}$'\n'
    fi
  done < <(__git flagscale __complete "$index" ${given[@]+"${given[@]}"})

  case $heading in
  '') ;;
  commits) __git_complete_refs --cur="$value" ;;
  files\ *) __git_flagscale_files -f "${heading#* }" ;;
  folders\ *) __git_flagscale_files -d "${heading#* }" ;;
  *) __gitcomp_nl "$names" '' "$value" ;;
  esac
} 2>/dev/null

# For the dashed form: there is no `git` before it that would have set these.
__git_flagscale_dashed ()
{
  local __git_dir='' __git_repo_path=''
  local -a __git_C_args=()

  _git_flagscale
}

# git's completion may not be loaded yet when the dashed form comes first.
if ! declare -F __git_complete >/dev/null; then
  if declare -F _comp_load >/dev/null; then
    _comp_load git
  elif declare -F __load_completion >/dev/null; then
    __load_completion git
  fi
fi
if declare -F __git_complete >/dev/null; then
  __git_complete git-flagscale __git_flagscale_dashed
fi
