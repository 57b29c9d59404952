// PC-stable's skeleton and separating sets for every alpha in one pass.
#pragma once
#include "level.hpp"

namespace secondlook {

struct Look {
    Pairs edges;  // the union over alphas; a pair's alphas say whose graph still has it
    Sepsets sepsets;
    Report report;
};

Look first_look(Problem& problem);

}  // namespace secondlook
