#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# What the sessions of the documents start from: each world_* function makes it in the home folder
# and leaves the shell where the session begins. Names and dates are fixed, so ids are, too.

# Who commits from here on.
person() {
  git config --global user.name "$1"
  git config --global user.email "$2"
}

commit_all() {
  git add --all
  git commit --quiet --message "$1"
}

# A new user's machine: git knows nobody.
world_fresh() {
  :
}

world_empty() {
  git config --global init.defaultBranch main
  git config --global advice.detachedHead false
  person 'Me Myself' me@example.com
}

# A small upstream with two commits, the second tagged v1.0.
upstream() {
  world_empty
  person 'Uma Upstream' uma@example.com
  git init --quiet mini
  cd mini || return
  printf 'def name():\n    return "generic"\n' >device.py
  printf 'import device\n\nprint("training on", device.name())\n' >train.py
  commit_all 'Train on anything'
  printf '# mini\n\nTrains nothing at all.\n' >README.md
  commit_all 'Say what this is'
  git tag v1.0
  cd ..
  git clone --quiet --bare mini upstream.git
  rm -rf mini
}

work_of_a() {
  printf 'def name():\n    return "A X100"\n\n\ndef cores():\n    return 64\n' >device.py
  commit_all 'Name the chip and count its cores'
  printf 'import device\n\nprint("training on", device.name(), device.cores())\n' >train.py
  commit_all 'Train on all cores'
}

work_of_b() {
  printf 'def name():\n    return "B Y100"\n' >device.py
  commit_all 'Name the chip'
}

# A vendor's clone of the upstream, with two commits of work on branch `work`.
world_adapted() {
  upstream
  person 'Vera Vendor' vera@a.example
  git clone --quiet upstream.git mini
  cd mini || return
  git switch --quiet --create work
  work_of_a
}

# A clone of the upstream after two vendors have published there.
world_published() {
  world_adapted
  git flagscale patch -q --device-type A_X100 --base-commit-id v1.0 >/dev/null
  git push --quiet origin HEAD:main
  person 'Bao of B' bao@b.example
  git switch --quiet --create work-b v1.0
  work_of_b
  git flagscale patch -q --device-type A_X100 B_Y100 --base-commit-id v1.0 --onto origin/main \
    >/dev/null
  git push --quiet origin HEAD:main
  cd .. || return
  rm -rf mini
  person 'Me Myself' me@example.com
  git clone --quiet upstream.git mini
  cd mini || return
}
