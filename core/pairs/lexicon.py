"""Words that turn the meaning of a sentence: numbers, negations, months and days.

The lists cover English, German, French, Spanish, Italian, Dutch and Portuguese, in the form
that `core.pairs.words.words_of` gives words.
"""

# "one" is left out: it is mostly a pronoun. Other languages' words mean other things in
# English or next door ("due", "elf", "sei").
NUMBER_WORDS = {
    "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7",
    "eight": "8", "nine": "9", "ten": "10", "eleven": "11", "twelve": "12",
}  # fmt: skip

# Left out because they mean something else next door: Italian "mai" (German May), French
# "plus" and "personne", which count beside "ne" only. "no" stays in although it is a mere
# "in the" in Portuguese: English and Spanish need it, and a wrong flag only costs a look.
_NEGATIONS = """
not no never none nobody nothing nowhere neither nor cannot without non
dont doesnt didnt cant wont isnt arent wasnt werent hasnt havent hadnt couldnt wouldnt
shouldnt aint
nicht nichts nie niemals niemand kein keine keinen keinem keiner keines nein ohne weder
nirgends nirgendwo
pas jamais rien aucun aucune sans ni
nunca jamás nada nadie ningún ninguno ninguna sin tampoco
niente nulla nessun nessuno nessuna senza né neanche nemmeno
niet niets geen nooit nee zonder nergens
não ninguém nenhum nenhuma sem nem
"""
NEGATIONS = frozenset(_NEGATIONS.split())
NEGATIONS_BESIDE_NE = frozenset(("plus", "personne", "point", "guère"))

_CALENDAR = """
monday tuesday wednesday thursday friday saturday sunday january february march april may
june july august september october november december
montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag januar februar märz
mai juni juli oktober dezember
lundi mardi mercredi jeudi vendredi samedi dimanche janvier février mars avril juin
juillet août septembre octobre novembre décembre
lunes martes miércoles jueves viernes sábado domingo enero febrero marzo abril mayo junio
julio agosto septiembre octubre noviembre diciembre
lunedì martedì mercoledì giovedì venerdì sabato domenica gennaio febbraio aprile maggio
giugno luglio settembre ottobre dicembre
maandag dinsdag woensdag donderdag vrijdag zaterdag zondag januari februari maart mei
augustus
segunda terça quarta quinta sexta janeiro fevereiro março
maio junho julho setembro outubro novembro dezembro
"""
CALENDAR = frozenset(_CALENDAR.split())
# Everyday words as long as they are written small.
_IF_CAPITAL = "may march mars mai mei august segunda terça quarta quinta sexta"
CALENDAR_IF_CAPITAL = frozenset(_IF_CAPITAL.split())
